import { describe, expect, test } from 'vitest';
import {
  type Actor,
  authoritiesOf,
  authorityOn,
  mayCall,
  mayCreateKapsule,
  mayDelete,
  mayDropTable,
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
  ['DELETE', [false, false, true]],
  [null, [false, false, true]],
  ['READ', [false, true, true]],
  ['EVERYONE', [false, true, true]],
] as const)('a kapsule whose writers are %s is written by', (writers, expected) => {
  const rights = [[], ['READ'], ['READ', 'DELETE']] as const;
  expect(rights.map((authority) => mayWriteGranules('USER', authority, writers))).toEqual(expected);
  expect(mayWriteGranules('ADMIN', [], writers)).toBe(true);
});

test('the owner and ADMINs choose the writers', () => {
  expect([user, admin].map((actor) => maySetWriters(actor, kapsule))).toEqual([false, true]);
  expect(maySetWriters(user, { ownerId: 'u' })).toBe(true);
});

test('DELETE forces READ', () => {
  expect(withImpliedRead(['DELETE'])).toEqual(['READ', 'DELETE']);
  expect(withImpliedRead(['READ'])).toEqual(['READ']);
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
