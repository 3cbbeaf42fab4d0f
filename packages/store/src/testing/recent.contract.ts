import { describe, expect, it } from 'vitest';
import { idAt } from '../ids.ts';
import type { AuditRecord } from '../nouns/audit.ts';
import type { Store } from '../store.ts';
import { anAuditEntry } from './samples.ts';

/** An id of that moment, as if the document had been made then. */
const madeAt = (time: string) => `${idAt(time).slice(0, 23)}1`;

export function recentContract(store: () => Store): void {
  describe('recent', () => {
    it('gives the newest first and no more than asked for', async () => {
      for (const action of ['a', 'b', 'c']) await store().audit.insert(anAuditEntry(action));
      const entries = await store().audit.recent({ limit: 2 });
      expect(entries.map((entry) => entry.action)).toEqual(['c', 'b']);
    });

    it('pages through everything exactly once while others insert', async () => {
      const old: AuditRecord[] = [];
      for (let n = 0; n < 25; n += 1) old.push(await store().audit.insert(anAuditEntry(`old ${n}`)));
      const seen: string[] = [];
      let before: string | undefined;
      const noise: Promise<unknown>[] = [];
      for (;;) {
        noise.push(...Array.from({ length: 10 }, () => store().audit.insert(anAuditEntry('noise'))));
        const page = await store().audit.recent({ limit: 4, ...(before && { before }) });
        if (page.length === 0) break;
        seen.push(...page.map((entry) => entry.id));
        before = page.at(-1)?.id;
      }
      await Promise.all(noise);
      const oldIds = old.map((entry) => entry.id).toReversed();
      expect(seen.filter((id) => oldIds.includes(id))).toEqual(oldIds);
      expect(new Set(seen).size).toBe(seen.length);
    });

    it('combines equalities on declared indexes, and refuses others', async () => {
      await store().audit.insert(anAuditEntry('login', { actorId: 'u1' }));
      const wanted = await store().audit.insert(anAuditEntry('login', { actorId: 'u2' }));
      await store().audit.insert(anAuditEntry('logout', { actorId: 'u2' }));
      const where = { action: 'login', actorId: 'u2' };
      expect(await store().audit.recent({ where, limit: 10 })).toEqual([wanted]);
      expect(await store().audit.recent({ where: { action: 'login' }, limit: 10 })).toHaveLength(2);
      await expect(store().audit.recent({ where: { ip: 'x' }, limit: 10 })).rejects.toThrow(TypeError);
    });

    it('keeps to a span of time: from since, and before until', async () => {
      const times = ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'];
      for (const time of times) await store().audit.insert(anAuditEntry(time, { id: madeAt(time) }));
      const between = { since: '2026-01-01T01:00:00+01:00', until: '2026-03-01T00:00:00Z' };
      const actions = (await store().audit.recent({ ...between, limit: 9 })).map((entry) => entry.action);
      expect(actions).toEqual([times[1], times[0]]);
      const older = await store().audit.recent({ ...between, before: madeAt(times[1] ?? ''), limit: 9 });
      expect(older.map((entry) => entry.action)).toEqual([times[0]]);
    });
  });
}
