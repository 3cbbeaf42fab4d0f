import { describe, expect, it } from 'vitest';
import type { Store } from '../store.ts';
import { anAuditEntry, aUser } from './samples.ts';

const texts = {
  'every script': 'Überraschung 驚き مفاجأة сюрприз 😀 e\u0301',
  'NUL characters': 'a\0b',
  'half a surrogate pair': 'a\uD800b',
  'quotes and SQL': `'; DROP TABLE users; -- " \\ %_`,
  'line ends and controls': '\r\n\t\u0001\u2028',
  nothing: '',
};

export function valuesContract(store: () => Store): void {
  describe('values', () => {
    it.each(Object.entries(texts))('keeps text with %s to the letter, also in an index', async (_, text) => {
      const user = await store().users.insert(aUser('u', { username: text, nameKey: `k${text}` }));
      expect(user.username).toBe(text);
      expect(await store().users.get(user.id)).toEqual(user);
      expect(await store().users.findBy('nameKey', `k${text}`)).toEqual([user]);
    });

    it('keeps a document of 1 MB', async () => {
      const text = 'é'.repeat(500_000);
      const { id } = await store().audit.insert(anAuditEntry('big', { after: { text } }));
      expect((await store().audit.get(id))?.after).toEqual({ text });
    });

    it('keeps keys like __proto__ as plain keys that change no object', async () => {
      const after = JSON.parse('{"__proto__":{"isAdmin":true},"constructor":1}') as Record<string, unknown>;
      const { id } = await store().audit.insert(anAuditEntry('proto', { after }));
      await store().audit.patch(id, { action: 'patched' });
      const read = (await store().audit.get(id))?.after;
      expect(JSON.stringify(read)).toBe(JSON.stringify(after));
      expect(Object.hasOwn(read ?? {}, '__proto__')).toBe(true);
      expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
    });

    it('keeps times as the ISO text they were given as, and null as null', async () => {
      const { id } = await store().users.insert(aUser('t', { lockTime: '2026-03-01T08:30:00.123+02:00' }));
      expect(await store().users.get(id)).toMatchObject({
        lockTime: '2026-03-01T08:30:00.123+02:00',
        lastLoginAttempt: null,
      });
    });

    it('keeps numbers, booleans and nesting', async () => {
      const after = {
        small: 5e-324,
        safe: Number.MAX_SAFE_INTEGER,
        yes: true,
        deep: [{ list: [1, [2]] }, null],
      };
      const { id } = await store().audit.insert(anAuditEntry('numbers', { after }));
      expect((await store().audit.get(id))?.after).toEqual(after);
    });
  });
}
