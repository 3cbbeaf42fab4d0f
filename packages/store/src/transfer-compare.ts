import { createHash } from 'node:crypto';
import { type NounName, nounNames } from './nouns/all.ts';
import type { Stored } from './nouns/noun.ts';
import type { Documents, Nouns } from './store.ts';
import type { Transfer } from './transfer.ts';

const PAGE = 500;

export interface CopyReport {
  documents: number;
  kapsules: number;
  granules: number;
}

/** The same text for the same value, in any order of its keys. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

export const digest = (value: unknown) => createHash('sha256').update(canonical(value)).digest('base64');

export const nounOf = (store: Nouns, noun: NounName) => store[noun] as unknown as Documents<Stored>;

/** Newest first, page by page. */
export async function* documentsOf(store: Nouns, noun: NounName): AsyncGenerator<Stored[]> {
  for (let before: string | undefined; ; ) {
    const page = await nounOf(store, noun).recent({ limit: PAGE, ...(before !== undefined && { before }) });
    if (page.length === 0) return;
    yield page;
    before = page.at(-1)?.id;
  }
}

interface Sum {
  count: number;
  checksum: string;
}

async function sumOf(batches: AsyncIterable<unknown[]>): Promise<Sum> {
  const hash = createHash('sha256');
  let count = 0;
  for await (const batch of batches) {
    for (const entry of batch) hash.update(canonical(entry)).update('\n');
    count += batch.length;
  }
  return { count, checksum: hash.digest('hex') };
}

/** Reads both databases again and compares the count and checksum of every noun, except for those left out, and of every kapsule. */
export async function compare(
  from: Transfer,
  to: Transfer,
  leftOut: readonly NounName[],
): Promise<CopyReport & { differences: string[] }> {
  const differences: string[] = [];
  const compared = async (name: string, read: (side: Transfer) => AsyncIterable<unknown[]>) => {
    const [here, there] = [await sumOf(read(from)), await sumOf(read(to))];
    if (canonical(here) !== canonical(there)) differences.push(name);
    return here.count;
  };
  let documents = 0;
  for (const noun of nounNames.filter((name) => !leftOut.includes(name))) {
    documents += await compared(noun, (side) => documentsOf(side.store, noun));
  }
  await compared('the counters of kapsules', countersOf);
  const kapsules = await from.kapsules();
  let granules = 0;
  for (const { kapsuleId } of kapsules) {
    granules += await compared(`the granules of ${kapsuleId}`, (side) => side.granules(kapsuleId));
  }
  return { documents, kapsules: kapsules.length, granules, differences };
}

async function* countersOf(side: Transfer): AsyncGenerator<unknown[]> {
  yield (await side.kapsules()).sort((a, b) => (a.kapsuleId < b.kapsuleId ? -1 : 1));
}
