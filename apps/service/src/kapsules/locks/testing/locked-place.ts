import type { Field } from '@kaptain/contract';
import type { Lock } from '@kaptain/contract/locks';
import type { Caller, TestAnswer } from '../../../testing/caller.ts';
import { addKapsule } from '../../../testing/kapsules.ts';
import type { TestApp } from '../../../testing/test-app.ts';

export const fields: Field[] = [
  { _id: 'f1', name: 'Period', type: 'text' },
  { _id: 'f2', name: 'Amount', type: 'number', min: 0 },
  { _id: 'f3', name: 'Talk', type: 'thread' },
];
/** Closes the period 2026-10 and those before. */
export const lock = (rest: Partial<Lock> = {}): Lock => ({
  name: 'October',
  closes: 'when',
  conditions: [{ on: 'field', field: 'Period', is: 'atMost', value: '2026-10' }],
  openers: 'DELETE',
  ...rest,
});
export const rows = {
  open: { Period: '2026-11', Amount: 1 },
  shut: { Period: '2026-10', Amount: 1 },
};

/** A kapsule with an open row and one that will be closed. */
export async function lockedPlace(
  { app, admin }: { app: TestApp; admin: Caller },
  change: { owner?: string } = {},
) {
  const kapsule = await addKapsule(app.store, `Locked ${Math.random()}`, { fields, ...change });
  const { id } = kapsule;
  const path = `/api/kapsule/${id}`;
  await app.store.granules.upsert(
    id,
    Object.entries(rows).map(([key, data]) => ({ key, user: 'somebody', data })),
  );
  const put = (caller: Caller, locks: unknown, version?: number) =>
    caller.call('PUT', `${path}/locks`, {
      body: { locks },
      ...(version !== undefined && { headers: { 'if-match': `"${version}"` } }),
    });
  const save = (caller: Caller, ...granules: { key: string; data: object; version?: number }[]) =>
    caller.call('PUT', `${path}/granules`, { body: { granules } });
  const stored = async (key: string) => (await app.store.granules.lookup(id, [key]))[0];
  const idOf = async (key: string) => (await stored(key))?.id ?? '';
  return { app, admin, kapsule, id, path, put, save, stored, idOf };
}

type Told = { count: number; refused: { key: string; field: string; rule: string }[] };
/** What an answer says is closed. */
export const closedIn = ({ status, body }: TestAnswer) => [
  status,
  body.code,
  ...((body['details'] as Told | undefined)?.refused ?? []).map(({ key, field, rule }) => [key, field, rule]),
];
export const closed = (...told: [key: string, field: string][]) => [
  400,
  'VALUES_REFUSED',
  ...told.map((one) => [...one, 'closed']),
];
