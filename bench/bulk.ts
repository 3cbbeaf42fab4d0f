import type { DatabaseKind } from './databases/database.ts';
import { type Caller, write } from './kit/client.ts';
import { newKapsule, untilIndexed } from './kit/kapsules.ts';
import { mixedRows } from './kit/mixed.ts';
import { onDatabases } from './kit/on-databases.ts';
import { roundsOr, rowsOr } from './kit/options.ts';
import { Others } from './kit/others.ts';
import { figure } from './kit/report.ts';
import { rate, ratioOf, StallWatch, timed } from './kit/times.ts';

/*
 * Bulk upserts of new keys: through HTTP beside another person's calls, by the store alone, and by a hand-written bulk load of the
 * same rows into a table with the same indexes.
 */
const ROWS = rowsOr(100_000);
const ROUNDS = roundsOr(5);
const BATCH = 5_000;
const IDLE_CALLS = 100;

interface Goals {
  toHand?: number;
  toStore?: number;
  stallMs?: number;
}
const goals: Partial<Record<DatabaseKind, Goals>> = {
  embedded: { toStore: 0.4, stallMs: 50 },
  postgres: { toHand: 0.4 },
};

/** Sends prepared bodies, two at a time, like a loader. */
async function save(admin: Caller, id: string, bodies: readonly string[]): Promise<void> {
  const left = [...bodies];
  const worker = async () => {
    for (let body = left.shift(); body !== undefined; body = left.shift())
      await write(admin, 'PUT', `/api/kapsule/${id}/granules`, body);
  };
  await Promise.all([worker(), worker()]);
}

const rows = [...mixedRows(ROWS)].map(({ key, data }) => ({ key, data }));
const bodies = Array.from({ length: Math.ceil(ROWS / BATCH) }, (_, batch) =>
  JSON.stringify({ granules: rows.slice(batch * BATCH, (batch + 1) * BATCH) }),
);

await onDatabases(
  { title: 'Bulk upserts', kinds: ['embedded', 'postgres', 'mongodb'], size: `${ROWS} rows` },
  async (database, { admin, listKapsules }) => {
    const others = new Others(listKapsules);
    const store = await database.open();
    const perSecond = { http: [] as number[], store: [] as number[], hand: [] as number[] };
    let stallMs = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      await others.rest(IDLE_CALLS);
      const id = await newKapsule(admin, `Bulk ${round}`);
      const httpMs = await others.during(timed(() => save(admin, id, bodies)));
      await untilIndexed(database);
      const stalls = new StallWatch();
      const storeMs = await timed(() => store.granules.bulkUpsert(`bulk ${round}`, mixedRows(ROWS)));
      stallMs = Math.max(stallMs, stalls.end());
      await untilIndexed(database);
      const handMs = await database.writeRows(`bulk ${round}`);
      for (const [what, ms] of Object.entries({ http: httpMs, store: storeMs, hand: handMs }))
        perSecond[what as keyof typeof perSecond].push((ROWS / ms) * 1000);
    }
    await store.close();
    const { toHand, toStore, stallMs: stallGoal } = goals[database.kind] ?? {};
    const { http, store: ours, hand } = perSecond;
    figure('through HTTP, share of the store', ratioOf(http, ours), {
      atLeast: toStore,
      details: `${rate(http)} and ${rate(ours)} rows`,
    });
    figure('the store, share of the fastest bulk load', ratioOf(ours, hand), {
      atLeast: toHand,
      details: `${rate(ours)} and ${rate(hand)} rows`,
    });
    figure('longest stall of the event loop meanwhile', stallMs, { atMost: stallGoal, unit: ' ms' });
    others.report('a bulk upsert');
  },
);
