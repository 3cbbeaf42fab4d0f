import { openQvd } from '@kaptain/qvd/node';
import { readRowByRow } from './row-by-row.ts';
import { stopwatch } from './stopwatch.ts';

/**
 * One measurement in its own process: `measure.ts values|codes|reference FILE ROWS [SMALL_FILE]`. Prints a line of JSON. It
 * first reads the small file of the same shape, to warm up the JIT compiler as in a running service.
 */
const [mode, file = '', allRows = '', smallFile = ''] = process.argv.slice(2);
/** The reference is too slow for whole files; it reads this many rows, and the time is extrapolated. */
const REFERENCE_ROWS = 100_000;

if (smallFile) await read(smallFile);
const { counted, ms } = await read(file);
const peakMB = (process.resourceUsage().maxRSS * 1024) / 1e6;
process.stdout.write(`${JSON.stringify({ ...counted, ms, peakMB })}\n`);

async function read(path: string) {
  if (mode === 'reference') return { counted: undefined, ms: reference(path) };
  const elapsed = stopwatch();
  const counted = await (mode === 'values' ? values(path) : codes(path));
  return { counted, ms: elapsed() };
}

/** Every cell as a JavaScript value. */
async function values(path: string): Promise<{ cells: number; nulls: number }> {
  await using qvd = await openQvd(path);
  let cells = 0;
  for await (const { vectors } of qvd.blocks({ reuse: true })) {
    for (const { symbols, codes } of vectors) cells += symbols.valuesOf(codes).length;
  }
  return { cells, nulls: sum(qvd.columns.map(({ nullCount = 0 }) => nullCount)) };
}

/** Every cell as the number of its symbol; symbols are checked but not decoded, as in the C program. */
async function codes(path: string): Promise<{ cells: number; nulls: number }> {
  await using qvd = await openQvd(path);
  await qvd.verify();
  return {
    cells: qvd.rowCount * qvd.columns.length,
    nulls: sum(qvd.columns.map(({ nullCount = 0 }) => nullCount)),
  };
}

function reference(path: string): number {
  const { rows, setupMs, rowsMs } = readRowByRow(path, REFERENCE_ROWS);
  return setupMs + (rowsMs * Number(allRows)) / rows;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
