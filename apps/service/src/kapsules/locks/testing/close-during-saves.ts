import type { Lock } from '@kaptain/contract/locks';
import type { Caller } from '../../../testing/caller.ts';

const everything: Lock = { name: 'All', closes: 'when', conditions: [], openers: 'DELETE' };

type Row = { key: string; version: number; data: object };

interface Ended {
  /** The rows at the answer that closed the kapsule, and after the last writer has ended. */
  atClosing: Row[];
  atEnd: Row[];
  /** The saves that were stored before. */
  stored: number;
  /** How each writer ended. */
  refusals: Set<string>;
}

/** Closes a kapsule while writers save and delete in it until they are refused. */
export async function closeDuringSaves(
  caller: Caller,
  path: string,
  { writers, locks = [everything] }: { writers: number; locks?: Lock[] },
): Promise<Ended> {
  let stored = 0;
  const { promise: isBusy, resolve: begin } = Promise.withResolvers<void>();
  const refusals = new Set<string>();
  const rows = async (): Promise<Row[]> => {
    const { text } = await caller.get(`${path}/sql/read/internal`);
    const all = JSON.parse(text) as Row[];
    return all
      .map(({ key, version, data }) => ({ key, version, data }))
      .toSorted((a, b) => (a.key < b.key ? -1 : 1));
  };
  const calls = (n: number, amount: number) => [
    // Rows of one writer, and one that all of them change.
    () =>
      caller.call('PUT', `${path}/granules`, {
        body: { granules: [{ key: `row ${n}`, data: { Amount: amount } }] },
      }),
    () =>
      caller.call('PUT', `${path}/granules`, {
        body: { granules: [{ key: 'shared', data: { Amount: n * 1_000 + amount } }] },
      }),
    () => caller.call('DELETE', `${path}/granules`, { body: { keys: [`row ${n}`] } }),
  ];
  async function write(n: number): Promise<void> {
    for (let amount = 1; ; amount += 1)
      for (const call of calls(n, amount)) {
        const { status, body } = await call();
        const { refused = [] } = (body['details'] ?? {}) as { refused?: { rule: string }[] };
        if (status === 400) return void refusals.add(refused[0]?.rule ?? body.message);
        // Others were faster too often.
        if (status !== 200 && status !== 503) return void refusals.add(`${status} ${body.message}`);
        stored += 1;
        if (stored >= writers) begin();
      }
  }
  const all = Promise.all(Array.from({ length: writers }, (_, n) => write(n)));
  await isBusy;
  const { status, text } = await caller.call('PUT', `${path}/locks`, { body: { locks } });
  if (status !== 200) refusals.add(text);
  const atClosing = await rows();
  await all;
  return { atClosing, atEnd: await rows(), stored, refusals };
}
