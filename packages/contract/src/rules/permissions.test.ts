import { describe, expect, test } from 'vitest';
import {
  type Actor,
  authoritiesOf,
  authorityOn,
  includesAuthority,
  mayCall,
  mayCreateKapsule,
  mayDelete,
  mayDropTable,
  mayImportGranules,
  mayReplaceStructure,
  maySetWriters,
  mayWriteGranules,
  withImpliedRead,
} from './permissions.ts';

const user: Actor = { userId: 'u', role: 'USER', isCreate: false, isFirstAdmin: false };
const admin: Actor = { userId: 'a', role: 'ADMIN', isCreate: true, isFirstAdmin: false };
const first: Actor = { ...admin, userId: 'f', isFirstAdmin: true };
const kapsule = { id: 'k', ownerId: 'someone' };

describe('who may call', () => {
  test.each([
    ['everyone', [true, true, true, true]],
    ['loggedIn', [false, true, true, true]],
    ['loggedInOrExtension', [false, true, true, true]],
    ['dataApi', [false, true, true, true]],
    ['extension', [false, true, true, true]],
    ['admin', [false, false, true, true]],
    ['adminWithApiKeys', [false, false, true, true]],
    ['firstAdmin', [false, false, false, true]],
  ] as const)('%s', (access, expected) => {
    expect([undefined, user, admin, first].map((actor) => mayCall(access, actor, true))).toEqual(expected);
  });
  test('no role may manage API keys while the setting is off', () => {
    expect(mayCall('adminWithApiKeys', first, false)).toBe(false);
  });
});

describe.each<[string, typeof authorityOn]>([
  ['one kapsule', authorityOn],
  ['many kapsules', (kapsule, actor, groups) => authoritiesOf(actor, groups)(kapsule)],
])('authority on %s', (_, authority) => {
  test('is nothing without a group', () => {
    expect(authority(kapsule, user, [])).toEqual([]);
  });
  test('is both for the owner and for an ADMIN', () => {
    expect(authority({ ...kapsule, ownerId: 'u' }, user, [])).toEqual(['READ', 'DELETE']);
    expect(authority(kapsule, admin, [])).toEqual(['READ', 'DELETE']);
  });
  test('is the union over the groups that hold both the user and the kapsule', () => {
    const group = { kapsuleIds: ['k'], userIds: ['u'] };
    expect(authority(kapsule, user, [{ ...group, authority: ['READ'] }])).toEqual(['READ']);
    expect(
      authority(kapsule, user, [
        { ...group, authority: ['READ'] },
        { ...group, authority: ['DELETE'] },
      ]),
    ).toEqual(['READ', 'DELETE']);
    expect(authority(kapsule, user, [{ ...group, userIds: ['x'], authority: ['READ'] }])).toEqual([]);
    expect(authority(kapsule, user, [{ ...group, kapsuleIds: ['x'], authority: ['READ'] }])).toEqual([]);
  });
});

test('the authority on many kapsules takes little longer than on a few', () => {
  const ids = (count: number, start: number) =>
    Array.from({ length: count }, (_, index) => `01a1f149e2aafebf${start + index}`);
  const [userIds, kapsuleIds] = [ids(1000, 10_000), ids(1000, 50_000)];
  const groups = Array.from({ length: 10 }, () => ({ authority: ['READ' as const], userIds, kapsuleIds }));
  const actor = { ...user, userId: String(userIds.at(-1)) };
  const fastestOf = (wanted: readonly string[]) => {
    const once = () => {
      const since = performance.now();
      const authority = authoritiesOf(actor, groups);
      const read = wanted.filter((id) => authority({ id, ownerId: 'x' }).includes('READ'));
      expect(read).toHaveLength(wanted.length);
      return performance.now() - since;
    };
    return Math.min(...Array.from({ length: 5 }, once));
  };
  const few = fastestOf(kapsuleIds.slice(0, 5));
  expect(fastestOf(kapsuleIds)).toBeLessThan(20 * few);
});

test.each([
  ['DELETE', [false, false, true, true]],
  [null, [false, false, true, true]],
  ['READ', [false, true, true, true]],
  ['EVERYONE', [false, true, true, true]],
] as const)('a kapsule whose writers are %s is written by', (writers, expected) => {
  const rights = [[], ['READ'], ['READ', 'WRITE'], ['READ', 'DELETE']] as const;
  expect(rights.map((authority) => mayWriteGranules('USER', authority, writers))).toEqual(expected);
  expect(mayWriteGranules('ADMIN', [], writers)).toBe(true);
});

test('the owner and ADMINs choose the writers', () => {
  expect([user, admin].map((actor) => maySetWriters(actor, kapsule))).toEqual([false, true]);
  expect(maySetWriters(user, { ownerId: 'u' })).toBe(true);
});

test.each([
  [[], []],
  [['READ'], ['READ']],
  [['WRITE'], ['READ', 'WRITE']],
  // What callers that know only READ and DELETE are answered stays the same.
  [['DELETE'], ['READ', 'DELETE']],
  [
    ['DELETE', 'READ', 'DELETE'],
    ['READ', 'DELETE'],
  ],
  [
    ['DELETE', 'WRITE'],
    ['READ', 'WRITE', 'DELETE'],
  ],
] as const)('%j is answered as %j: by rank, with READ', (given, expected) => {
  expect(withImpliedRead(given)).toEqual(expected);
});

test('each authority includes those before it, whether they are named or not', () => {
  const all = ['READ', 'WRITE', 'DELETE'] as const;
  const includedIn = (given: Parameters<typeof includesAuthority>[0]) =>
    all.filter((wanted) => includesAuthority(given, wanted));
  expect(includedIn([])).toEqual([]);
  expect(includedIn(['READ'])).toEqual(['READ']);
  expect(includedIn(['WRITE'])).toEqual(['READ', 'WRITE']);
  expect(includedIn(['READ', 'DELETE'])).toEqual(all);
  expect(includedIn(['DELETE'])).toEqual(all);
});

describe('what each person could do before there was WRITE', () => {
  const rights = { none: [], READ: ['READ'], DELETE: ['READ', 'DELETE'] } as const;
  const writers = [undefined, null, 'DELETE', 'READ', 'EVERYONE'] as const;
  /** Write, import, delete, replace the structure, choose the writers; for the writers in the order above. */
  const before = `
    USER  other none    ----- ----- ----- ----- -----
    USER  other READ    ----- ----- ----- w---- w----
    USER  other DELETE  widr- widr- widr- widr- widr-
    USER  owner none    widrs widrs widrs widrs widrs
    USER  owner READ    widrs widrs widrs widrs widrs
    USER  owner DELETE  widrs widrs widrs widrs widrs
    ADMIN other none    widrs widrs widrs widrs widrs
    ADMIN other READ    widrs widrs widrs widrs widrs
    ADMIN other DELETE  widrs widrs widrs widrs widrs
    ADMIN owner none    widrs widrs widrs widrs widrs
    ADMIN owner READ    widrs widrs widrs widrs widrs
    ADMIN owner DELETE  widrs widrs widrs widrs widrs`;
  const rows = before
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/ +/) as ['USER' | 'ADMIN', string, keyof typeof rights, ...string[]]);
  test.each(rows)('%s, %s, with a group that grants %s', (role, whose, right, ...cells) => {
    const actor = { ...user, role };
    const own = { id: 'k', ownerId: whose === 'owner' ? 'u' : 'someone' };
    const group = { authority: rights[right], kapsuleIds: ['k'], userIds: ['u'] };
    const authority = authorityOn(own, actor, right === 'none' ? [] : [group]);
    const shown = writers.map((chosen) =>
      [
        mayWriteGranules(role, authority, chosen) && 'w',
        mayImportGranules(role, authority) && 'i',
        mayDelete(role, authority) && 'd',
        mayReplaceStructure(role, { authority }) && 'r',
        maySetWriters(actor, own) && 's',
      ]
        .map((can) => can || '-')
        .join(''),
    );
    expect(shown).toEqual(cells);
    const isAll = role === 'ADMIN' || whose === 'owner';
    expect(authority).toEqual(isAll ? ['READ', 'DELETE'] : rights[right]);
  });
});

test('WRITE saves and imports, and does nothing that takes away or changes the kapsule', () => {
  const authority = authorityOn(kapsule, user, [{ authority: ['WRITE'], kapsuleIds: ['k'], userIds: ['u'] }]);
  expect(authority).toEqual(['READ', 'WRITE']);
  expect(mayWriteGranules('USER', authority, 'DELETE')).toBe(true);
  expect(mayImportGranules('USER', authority)).toBe(true);
  expect(mayDelete('USER', authority)).toBe(false);
  expect(mayReplaceStructure('USER', { authority })).toBe(false);
});

test('an ADMIN may always delete and create, a USER only with the right', () => {
  expect([
    mayDelete('ADMIN', []),
    mayDelete('USER', ['READ']),
    mayDelete('USER', ['READ', 'DELETE']),
  ]).toEqual([true, false, true]);
  expect([
    mayCreateKapsule(admin),
    mayCreateKapsule(user),
    mayCreateKapsule({ ...user, isCreate: true }),
  ]).toEqual([true, false, true]);
});

test('only an ADMIN replaces the structure on, or drops, a table that the service did not make', () => {
  const both = ['READ', 'DELETE'] as const;
  const tables = [undefined, null, true, false];
  const replaces = (role: 'ADMIN' | 'USER', authority: readonly ('READ' | 'DELETE')[]) =>
    tables.map((tableMadeByService) => mayReplaceStructure(role, { authority, tableMadeByService }));
  expect(replaces('ADMIN', [])).toEqual([true, true, true, true]);
  expect(replaces('USER', both)).toEqual([true, true, true, false]);
  expect(replaces('USER', ['READ'])).toEqual([false, false, false, false]);
  const drops = (role: 'ADMIN' | 'USER') =>
    tables.map((tableMadeByService) => mayDropTable(role, { tableMadeByService }));
  expect([drops('ADMIN'), drops('USER')]).toEqual([
    [true, true, true, true],
    [true, true, true, false],
  ]);
});
