import { openSource, QvdFormatError, type QvdTable, type QvdValue, QvdWriter } from '../src/index.ts';
import { join } from '../src/testing/craft.ts';
import { memorySource } from '../src/testing/memory-source.ts';

/** Small limits bound the time per input and are tested themselves. */
const limits = {
  rows: 100_000,
  rowsWithoutBytes: 1000,
  symbolMemory: 4_000_000,
  headerBytes: 200_000,
  fields: 100,
};
const ROUND_TRIP_CELLS = 3000;

type Rows = readonly (readonly (QvdValue | null)[])[];

/** Any bytes must either be refused with a typed error, or be read completely and survive a round trip. */
export async function expectSafe(bytes: Uint8Array): Promise<void> {
  const started = process.cpuUsage();
  const outcome = await read(bytes);
  const { user } = process.cpuUsage(started);
  if (user > 1_000_000) throw new Error(`took ${Math.round(user / 1000)} ms of processor time`);
  if (outcome) await expectRoundTrip(outcome.qvd, outcome.rows);
}

async function read(bytes: Uint8Array): Promise<{ qvd: QvdTable; rows: Rows } | undefined> {
  try {
    const qvd = await openSource(memorySource(bytes), { limits });
    const rows: (QvdValue | null)[][] = [];
    for await (const { vectors, rowCount } of qvd.blocks()) {
      const values = vectors.map(({ symbols, codes }) => {
        if (codes.some((code) => code < -1 || code >= symbols.count))
          throw new Error('a code without a symbol');
        return symbols.valuesOf(codes);
      });
      for (let row = 0; row < rowCount; row++) rows.push(values.map((column) => column[row] ?? null));
    }
    if (rows.length !== qvd.rowCount) throw new Error(`${rows.length} rows of ${qvd.rowCount}`);
    return { qvd, rows };
  } catch (error) {
    if (error instanceof QvdFormatError) return undefined;
    throw error;
  }
}

async function expectRoundTrip(qvd: QvdTable, rows: Rows): Promise<void> {
  if (qvd.columns.length === 0 || rows.length * qvd.columns.length > ROUND_TRIP_CELLS) return;
  // Invalid bytes of a name were replaced while reading; the replacement is written.
  const columns = qvd.columns.map(({ name, tags }) => ({ name, tags }));
  const writer = new QvdWriter({ tableName: qvd.tableName, columns });
  for (const row of rows) writer.addRow(row);
  const again = await read(join(...writer.chunks()));
  if (!again) throw new Error('the written file is refused');
  if (text(again.rows) !== text(rows)) throw new Error('the written file has other values');
}

/** Every value with its kind; JSON alone would lose NaN and -0. */
function text(rows: Rows): string {
  return JSON.stringify(rows, (_, value: unknown) =>
    typeof value === 'number' ? (Object.is(value, -0) ? '-0' : `#${value}`) : value,
  );
}
