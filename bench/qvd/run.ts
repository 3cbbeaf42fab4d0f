import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder, removeFolder } from '../kit/folders.ts';
import { type Column, low, mixed } from '../kit/mixed.ts';
import { isTrial, roundsOr, rowsOr } from '../kit/options.ts';
import { qvdChunks } from '../kit/qvd-file.ts';
import { endSection, figure, note } from '../kit/report.ts';
import { median } from '../kit/times.ts';

/* The speed of the QVD reader. All programs alternate on the same files; their medians are compared. */
const ROUNDS = roundsOr(5);
const MANY = rowsOr(5_000_000);
const FILES = [
  { name: `${MANY / 5} mixed`, rows: MANY / 5, columns: mixed(MANY / 5) },
  { name: `${MANY} low`, rows: MANY, columns: low() },
  { name: `${MANY} mixed`, rows: MANY, columns: mixed(MANY) },
];
const SMALL_ROWS = isTrial ? 200 : 20_000;
const GOALS = { valuesToC: 12, codesToC: 3, referenceToValues: 30, peakMB: 300 };

const fewer = (column: Column): Column => ({ ...column, values: Math.min(column.values, SMALL_ROWS) });
function generate(path: string, columns: readonly Column[], rows: number): void {
  for (const chunk of qvdChunks(columns, rows)) appendFileSync(path, chunk);
}

interface Measured {
  readonly ms: number;
  readonly nulls: number;
  readonly peakMB?: number;
}

const here = (file: string): string => join(import.meta.dirname, file);
const folder = newFolder();

function node(...given: string[]): Measured {
  // With the compile cache, as in a running service; without it each process strips the types again.
  const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, 'cache') };
  return JSON.parse(
    execFileSync(process.execPath, [here('measure.ts'), ...given], { encoding: 'utf8', env }),
  ) as Measured;
}

function compileBaseline(): string | undefined {
  const program = join(folder, 'baseline');
  const { status } = spawnSync('cc', ['-O2', '-o', program, here('baseline.c')], { stdio: 'ignore' });
  return status === 0 ? program : undefined;
}

try {
  const baseline = compileBaseline();
  if (!baseline) console.log('No C compiler (cc) found: the ratios to C are omitted.');
  for (const { name, rows, columns } of FILES) {
    const path = join(folder, `${name}.qvd`);
    generate(path, columns, rows);
    const small = join(folder, 'small.qvd');
    generate(small, columns.map(fewer), SMALL_ROWS);
    node('codes', path, '', small); // fills the file cache and the compile cache
    const times = {
      c: [] as number[],
      codes: [] as number[],
      values: [] as number[],
      reference: [] as number[],
    };
    for (let round = 0; round < ROUNDS; round++) {
      const c = baseline
        ? (JSON.parse(execFileSync(baseline, [path], { encoding: 'utf8' })) as Measured)
        : undefined;
      const codes = node('codes', path, '', small);
      const values = node('values', path, '', small);
      const agree = [c?.nulls, codes.nulls].every((nulls) => nulls === undefined || nulls === values.nulls);
      if (!agree) throw new Error(`The readers disagree about ${name}.`);
      if (c) times.c.push(c.ms);
      times.codes.push(codes.ms);
      times.values.push(values.ms);
      times.reference.push(node('reference', path, String(rows), small).ms);
    }
    const [c, codes] = [median(times.c), median(times.codes)];
    const [values, reference] = [median(times.values), median(times.reference)];
    const round = (ms: number): string => (Number.isNaN(ms) ? '-' : `${Math.round(ms)} ms`);
    const label = (what: string) => `${name}: ${what}`;
    note(
      name,
      `C ${round(c)}, codes ${round(codes)}, values ${round(values)}, row by row ${round(reference)} (extrapolated)`,
    );
    if (baseline) figure(label('values to C'), values / c, { atMost: GOALS.valuesToC });
    if (baseline) figure(label('codes to C'), codes / c, { atMost: GOALS.codesToC });
    figure(label('row by row to values'), reference / values, { atLeast: GOALS.referenceToValues });
    if (name === FILES.at(-1)?.name) {
      // Without the small file, whose memory would count as well.
      const peaks = [1, 2, 3].map(() => node('values', path).peakMB ?? Number.NaN);
      figure(label('peak memory'), median(peaks), { atMost: GOALS.peakMB, unit: ' MB' });
    }
    rmSync(path);
    rmSync(small);
  }
} finally {
  removeFolder(folder);
}
endSection(['The QVD reader'], `${MANY} rows`);
