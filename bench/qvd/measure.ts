import { openQvd } from '@kaptain/qvd/node';
import { readRowByRow } from './row-by-row.ts';

/** One measurement in a process of its own: `measure.ts values|codes|reference FILE`. Prints one line of JSON. */
const [mode, path = ''] = process.argv.slice(2);
/** The reference is too slow for whole files; its rows are measured on this many and counted up. */
const REFERENCE_ROWS = 100_000;

const start = process.cpuUsage();
const wallStart = performance.now();
const counted = mode === 'values' ? await values() : mode === 'codes' ? await codes() : reference();
const ms = counted.ms ?? processorMs(start);
const wallMs = performance.now() - wallStart;
process.stdout.write(
  `${JSON.stringify({ ...counted, ms, wallMs, peakMB: (process.resourceUsage().maxRSS * 1024) / 1e6 })}\n`,
);

/** Time of all threads together since `before`; what else the machine is doing does not count. */
function processorMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Every cell as a JavaScript value. */
async function values(): Promise<{ rows: number; nulls: number; ms?: number }> {
  await using qvd = await openQvd(path);
  let nulls = 0;
  let rows = 0;
  for await (const block of qvd.blocks({ reuse: true })) {
    rows += block.rowCount;
    for (const { symbols, codes } of block.vectors) {
      for (const value of symbols.valuesOf(codes)) if (value === null) nulls++;
    }
  }
  return { rows, nulls };
}

/** Every cell as the number of its symbol; symbols are checked but not decoded, as in the C program. */
async function codes(): Promise<{ rows: number; nulls: number; ms?: number }> {
  await using qvd = await openQvd(path);
  await qvd.verify();
  return { rows: qvd.rowCount, nulls: qvd.columns.reduce((sum, { nullCount = 0 }) => sum + nullCount, 0) };
}

function reference(): { rows: number; nulls: number; ms?: number } {
  const { rows, nulls, setupMs, rowsMs } = readRowByRow(path, REFERENCE_ROWS);
  const all = Number(process.argv[4]);
  return { rows, nulls, ms: setupMs + (rowsMs * all) / rows };
}
