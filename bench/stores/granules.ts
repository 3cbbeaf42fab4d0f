import type { Store } from '@kaptain/store';
import { comments } from '../granules-store/rows.ts';
import { median, timed } from '../granules-store/watch.ts';
import type { BenchDatabase } from './database.ts';

const ROUNDS = 3;

/** Rare words are in up to 100 of a million rows, common ones in many thousands. */
const SEARCHES = {
  rare: ['ORD-0004242', 'ORD-00049', 'not there'],
  common: ['customer', 'Monday follow', 'userid=u7'],
};

const query = { sort: 'key', descending: false, offset: 0, limit: 100 } as const;

/** Rows per second of both, in alternating rounds. */
export async function measureBulk(database: BenchDatabase, store: Store, rows: number, rounds: number) {
  const [upserts, writes]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    const id = `bulk${round}`;
    const ms = await timed(() => store.granules.bulkUpsert(id, comments(rows, id)));
    upserts.push((rows / ms) * 1000);
    writes.push((rows / (await database.writeRows(id))) * 1000);
  }
  return { upserts, writes };
}

export async function importRows(store: Store, rows: number): Promise<number> {
  const audit = async () => undefined;
  return (rows / (await timed(() => store.granules.importAll('large', comments(rows, 'ORD'), audit)))) * 1000;
}

export interface SearchFigure {
  q: string;
  isRare: boolean;
  found: number;
  total: string;
  scan: number;
}

/** Milliseconds of each search by the store and by a scan, in alternating rounds. */
export async function measureSearches(database: BenchDatabase, store: Store): Promise<SearchFigure[]> {
  const words = Object.entries(SEARCHES).flatMap(([kind, list]) =>
    list.map((q) => ({ q, isRare: kind === 'rare' })),
  );
  const figures: SearchFigure[] = [];
  for (const { q, isRare } of words) {
    const [found, scans]: [number[], number[]] = [[], []];
    const { rows, total, totalIsExact } = await store.granules.page('large', { ...query, q });
    for (let turn = 0; turn < ROUNDS; turn += 1) {
      found.push(await timed(() => store.granules.page('large', { ...query, q })));
      const scan = await database.scan('large', q.toLowerCase());
      if (scan.rows !== rows.length) throw new Error(`The scan for ${q} found ${scan.rows} rows.`);
      scans.push(scan.ms);
    }
    const hits = `${totalIsExact ? '' : 'more than '}${total} hits`;
    figures.push({ q, isRare, found: median(found), total: hits, scan: median(scans) });
  }
  return figures;
}
