import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { verdict } from '../verdict.ts';
import { generate } from './generate.ts';
import { low, mixed, type Shape } from './shapes.ts';

/**
 * Measures the speed of the QVD reader. All programs alternate on the same files; their medians are compared.
 * Exit code 1 when a goal is missed.
 */
const ROUNDS = 5;
const FILES = [
  { name: '1M mixed', rows: 1_000_000, shapes: mixed(1_000_000) },
  { name: '5M low', rows: 5_000_000, shapes: low() },
  { name: '5M mixed', rows: 5_000_000, shapes: mixed(5_000_000) },
];
const SMALL_ROWS = 20_000;
const GOALS = { valuesToC: 12, codesToC: 3, referenceToValues: 30, peakMB: 300 };

const fewer = (shape: Shape): Shape => ({ ...shape, values: Math.min(shape.values, SMALL_ROWS) });

interface Measured {
  readonly ms: number;
  readonly nulls: number;
  readonly peakMB?: number;
}

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'qvd-bench-'));
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

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
  for (const { name, rows, shapes } of FILES) {
    const path = join(folder, `${name}.qvd`);
    await generate(path, shapes, rows);
    const small = join(folder, 'small.qvd');
    await generate(small, shapes.map(fewer), SMALL_ROWS);
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
    console.log(
      `${name}: C ${round(c)}, codes ${round(codes)}, values ${round(values)}, row by row ${round(reference)} (extrapolated)`,
    );
    if (baseline) verdict('values, times C', values / c, GOALS.valuesToC);
    if (baseline) verdict('codes, times C', codes / c, GOALS.codesToC);
    verdict('row by row, times values', reference / values, GOALS.referenceToValues, {
      isLargerBetter: true,
    });
    if (name === '5M mixed') {
      // Without the small file, whose memory would count as well.
      const peaks = [1, 2, 3].map(() => node('values', path).peakMB ?? Number.NaN);
      verdict('peak memory in MB', median(peaks), GOALS.peakMB);
    }
    rmSync(path);
    rmSync(small);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
