import { api, type Route } from '@kaptain/contract';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../../tools/any-character.ts';
import { inTurn, sized } from '../../../../tools/test-size.ts';
import { appOfFile } from './app-of-file.ts';
import { PASSWORD } from './test-app.ts';

const nouns = ['users', 'groups', 'apiKeys', 'account', 'secondFactor', 'audit'] as const;
const withBody = nouns.flatMap((noun) =>
  Object.entries<Route>(api[noun])
    .filter(([, route]) => route.body)
    .map(([name, route]) => ({ name: `${noun}.${name}`, route })),
);
const withParams = nouns.flatMap((noun) => Object.values<Route>(api[noun])).filter(({ params }) => params);

/** A valid body of each form; one field at a time is replaced by a hostile value. */
const forms: Record<string, Record<string, unknown>> = {
  'users.create': {
    username: 'otto',
    password: PASSWORD,
    role: 'USER',
    groups: [],
    qlikId: 'x',
    isCreate: false,
  },
  'users.update': { userId: 'x', password: PASSWORD, role: 'USER', groups: [], qlikId: 'x', isCreate: false },
  'groups.create': { groupname: 'g', authority: ['READ'], kapsules: [], users: [] },
  'groups.update': { groupId: 'x', groupname: 'g', authority: ['READ'], kapsules: [], users: [], version: 1 },
  'secondFactor.confirmTotp': { setup: 'x', code: '123456' },
  'secondFactor.confirmPasskey': { name: 'Phone', passkey: { id: 'AAAA' } },
  'secondFactor.renamePasskey': { name: 'Phone' },
  'secondFactor.prove': { password: 'not this one', code: '123456', passkey: { id: 'AAAA' } },
  'apiKeys.create': {
    name: 'k',
    apikey: 'kpt_abcdefghijklmnopqrstuvwxyz0123456789',
    expiresAt: '2999-01-01T00:00:00Z',
    kapsuleIds: ['x'],
  },
  'account.changePassword': { currentPassword: 'not this one', newPassword: PASSWORD },
};

const hostile: unknown[] = [
  { $ne: 1 },
  { toString: 'x' },
  [['x']],
  ['x', { length: 1e9 }],
  'nul\u0000inside',
  'half of a pair \ud800',
  'x'.repeat(300_000),
  1e308,
  -1,
  null,
  [{ id: { $gt: '' } }],
  [{ kapsulecode: ['x'], userid: {}, id: 7 }],
];

describe('hostile input', () => {
  const shared = appOfFile({ settings: { apiKey: true } });

  it('covers every form of people and permissions', () => {
    expect(Object.keys(forms).sort()).toEqual(withBody.map(({ name }) => name).sort());
  });

  it('in any field of any form is refused with 400', async () => {
    const { app, admin } = shared;
    const worse: string[] = [];
    let turn = 0;
    for (const { name, route } of withBody)
      for (const field of Object.keys(forms[name] ?? {}))
        for (const value of inTurn(hostile, turn++, 2)) {
          const body = { ...forms[name], [field]: value };
          const { status } = await admin.call(route.method, route.path.replace(/:\w+/g, 'x'), { body });
          if (status !== 400) worse.push(`${name} ${field} ${JSON.stringify(value).slice(0, 40)} ${status}`);
        }
    expect(worse).toEqual([]);
    expect(await app.store.users.all()).toHaveLength(1);
    expect(await app.store.groups.all()).toEqual([]);
  });

  it('as a body of another shape, with a prototype, or of more than 1 MiB is refused', async () => {
    const { admin } = shared;
    const json = { 'content-type': 'application/json' };
    for (const { name, route } of withBody) {
      const path = route.path.replace(/:\w+/g, 'x');
      const send = async (body: string) =>
        (await admin.call(route.method, path, { body, headers: json })).status;
      for (const body of ['', '[]', 'null', '"x"', '7', '{', '{"a":1}{', '{"__proto__":{"role":"ADMIN"}}'])
        expect([name, body, await send(body)]).toEqual([name, body, 400]);
      expect([name, await send(JSON.stringify({ password: 'x'.repeat(1_048_576) }))]).toEqual([name, 413]);
    }
  });

  it('as an id in a path finds nothing', async () => {
    const { admin } = shared;
    const ids = [
      ':id',
      '*',
      'null',
      'undefined',
      '0',
      '..%2f..%2fetc',
      '%5B%5D',
      "'%20OR%201=1--",
      '%F0%9F%92%A5',
    ];
    for (const { method, path } of withParams)
      for (const id of ids) {
        const body = path.includes('update')
          ? { ...forms['groups.update'], groupId: decodeURIComponent(id) }
          : method === 'PUT'
            ? { name: 'x' }
            : undefined;
        const { status } = await admin.call(method, path.replace(/:\w+/g, id), { body });
        expect([path, id, status]).toEqual([path, id, 404]);
      }
  });

  it('generated at random never causes a 5xx', async () => {
    const { app, admin } = shared;
    const request = fc.record({
      call: fc.constantFrom(...withBody),
      field: fc.nat(10),
      value: fc.anything({ maxDepth: 2, withNullPrototype: false }).map((value) => toJson(value)),
      id: fc.string({ unit: anyCharacter, maxLength: 30 }).filter((id) => id.isWellFormed()),
    });
    await fc.assert(
      fc.asyncProperty(request, async ({ call, field, value, id }) => {
        const form = forms[call.name] ?? {};
        const names = Object.keys(form);
        const body = { ...form, [names[field % names.length] ?? '']: value };
        const path = call.route.path.replace(/:\w+/g, () => encodeURIComponent(id || 'x'));
        const { status } = await admin.call(call.route.method, path, { body });
        expect([200, 400, 403, 404, 409, 429]).toContain(status);
      }),
      { numRuns: sized(300, 50) },
    );
    expect(app.logLines.filter((line) => line.includes('request failed'))).toEqual([]);
  });
});

/** Only values that JSON can express. */
function toJson(value: unknown): unknown {
  try {
    return JSON.parse(
      JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? 1 : part)) ?? 'null',
    );
  } catch {
    return null;
  }
}
