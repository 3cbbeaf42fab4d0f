import { describe, expect, it, test } from 'vitest';
import { sized } from '../../../tools/test-size.ts';
import { openSource, type QvdTable } from './index.ts';
import { blobSource } from './sources/blob-source.ts';
import type { ByteSource } from './sources/byte-source.ts';
import { HOSTILE_CASES as CASES } from './testing/hostile/all-cases.ts';
import type { HostileCase } from './testing/hostile/case.ts';

/** Classes that `sources.test.ts` and `table.test.ts` cover, because they concern files and callers, not bytes. */
const ELSEWHERE = [31, 32, 33];

interface Outcome {
  readonly qvd?: QvdTable;
  readonly rows: readonly (readonly unknown[])[];
  readonly error?: unknown;
  readonly closed: boolean;
  /** By how much the memory of the process has grown. */
  readonly grown: number;
}

async function readAll({ input, options }: HostileCase): Promise<Outcome> {
  const { rss } = process.memoryUsage();
  const grown = () => process.memoryUsage().rss - rss;
  const given = input();
  const source = given instanceof Uint8Array ? blobSource(new Blob([given])) : given;
  let closed = false;
  const watched: ByteSource = { ...source, close: async () => void (closed = true) };
  const rows: (readonly unknown[])[] = [];
  try {
    const qvd = await openSource(watched, options);
    for await (const row of qvd.rows()) rows.push(row);
    return { qvd, rows, closed, grown: grown() };
  } catch (error) {
    return { rows, error, closed, grown: grown() };
  }
}

const REFUSED = CASES.filter(({ refuse }) => refuse);
const READABLE = CASES.filter(({ refuse }) => !refuse);

/** Of processor time, which other programs do not stretch; a slow machine needs several times as much. */
const REFUSED_WITHIN_MS = sized(1000, 10_000);
const MOST_MEMORY = 100e6;

describe('a hostile file is refused soon, with little memory', () => {
  it.each(REFUSED)('class $class: $name ($refuse)', async (hostile) => {
    const before = process.cpuUsage();
    const { error, grown } = await readAll(hostile);
    const { user, system } = process.cpuUsage(before);
    expect(error).toMatchObject({ name: 'QvdFormatError', code: hostile.refuse, offset: expect.any(Number) });
    expect((user + system) / 1000).toBeLessThan(REFUSED_WITHIN_MS);
    expect(grown).toBeLessThan(MOST_MEMORY);
  });
});

describe('an irregular file is read completely, with little memory', () => {
  it.each(READABLE)('class $class: $name', async (odd) => {
    const { qvd, rows, error, grown } = await readAll(odd);
    expect(error).toBeUndefined();
    expect(grown).toBeLessThan(MOST_MEMORY);
    expect(rows.length).toBe(qvd?.rowCount);
    const warnings = qvd?.warnings.map(({ code }) => code) ?? [];
    expect(warnings).toEqual(expect.arrayContaining(odd.warn ? [odd.warn] : []));
    expect(odd.holds?.(qvd as QvdTable, rows) ?? true).toBe(true);
  });
});

test('the corpus has at least 150 files, large ones among them, and covers every class', () => {
  expect(CASES.length).toBeGreaterThanOrEqual(150);
  expect(CASES.filter(({ name }) => /MB|GB|100,000|200,000/.test(name)).length).toBeGreaterThan(5);
  const covered = new Set([...CASES.map((hostile) => hostile.class), ...ELSEWHERE]);
  expect([...covered].sort((a, b) => a - b)).toEqual(Array.from({ length: 33 }, (_, index) => index + 1));
});

test('a refused file is closed immediately', async () => {
  const { closed } = await readAll({ class: 2, name: 'cut', input: () => new Uint8Array(3) });
  expect(closed).toBe(true);
});
