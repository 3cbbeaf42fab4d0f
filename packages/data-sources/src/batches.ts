import type { RowInput, RowInputs } from './data-source.ts';

const ROWS = 5_000;
/** Together with their names and quotes a batch stays below what every server takes as one value. */
const CHARACTERS = 2_000_000;

const sizeOf = ({ key, user, data }: RowInput): number => {
  let size = key.length + user.length + 150;
  for (const value of Object.values(data)) size += typeof value === 'string' ? value.length : 16;
  return size;
};

/** Hands rows on in portions and asks for more when a portion is done; says how many there were. */
export async function inBatches(
  rows: RowInputs,
  store: (batch: RowInput[]) => Promise<void>,
): Promise<number> {
  let batch: RowInput[] = [];
  let size = 0;
  let total = 0;
  const flush = async () => {
    if (batch.length === 0) return;
    await store(batch);
    total += batch.length;
    batch = [];
    size = 0;
  };
  for await (const row of rows) {
    batch.push(row);
    size += sizeOf(row);
    if (batch.length >= ROWS || size >= CHARACTERS) await flush();
  }
  await flush();
  return total;
}
