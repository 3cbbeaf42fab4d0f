import { createHash } from 'node:crypto';
import { describe, expect, it, test } from 'vitest';
import { openQvd, QvdFormatError, type QvdVector } from './node.ts';
import {
  type ExpectedCell,
  type ExpectedRow,
  hasCompleteSamples,
  isSound,
  loadSamples,
} from './testing/samples.ts';

const samples = loadSamples();
const bytesOf = (text: string) => Buffer.byteLength(text, 'utf8');

/** The cell in the manifest's format. */
function cell({ codes, symbols }: QvdVector, row: number): ExpectedCell | null {
  const code = codes[row] ?? -1;
  if (code < 0) return null;
  const n = symbols.number(code);
  const s = symbols.text(code);
  return { t: symbols.kind(code), ...(n === null ? {} : { n }), ...(s === null ? {} : { s }) };
}

/** The manifest has only length, start and hash of long texts. */
function asExpected(actual: ExpectedCell | null, expected: ExpectedCell | null): ExpectedCell | null {
  if (actual?.s === undefined || expected?.sPrefix === undefined) return actual;
  const { s, ...rest } = actual;
  const sSha256 = createHash('sha256').update(s).digest('hex');
  return { ...rest, sPrefix: s.slice(0, expected.sPrefix.length), sUtf8Bytes: bytesOf(s), sSha256 };
}

function expectRow(actual: readonly (ExpectedCell | null)[], expected: ExpectedRow): void {
  expect(actual.map((cell, column) => asExpected(cell, expected[column] ?? null))).toEqual(expected);
}

/** Adds sums over all rows, computed once per symbol. */
function addSums(vectors: readonly QvdVector[], numbers: number[], texts: number[]): void {
  for (const [index, { codes, symbols }] of vectors.entries()) {
    const known = new Map<number, readonly [number, number]>();
    for (const code of codes) {
      if (code < 0) continue;
      let sizes = known.get(code);
      if (!sizes) known.set(code, (sizes = [symbols.number(code) ?? 0, bytesOf(symbols.text(code) ?? '')]));
      numbers[index] = (numbers[index] ?? 0) + sizes[0];
      texts[index] = (texts[index] ?? 0) + sizes[1];
    }
  }
}

test(`there are ${samples.length} samples ${hasCompleteSamples ? '(all)' : '(only those committed here)'}`, () => {
  expect(samples.length).toBe(hasCompleteSamples ? 60 : 10);
});

describe('a real file', () => {
  it.each(samples.filter(isSound))('$file has the values that other readers found', async (sample) => {
    await using qvd = await openQvd(sample.path);
    const numbers = sample.fieldNames.map(() => 0);
    const texts = sample.fieldNames.map(() => 0);
    let seen = 0;
    let lastRow: ExpectedRow = [];
    for await (const { firstRow, rowCount, vectors } of qvd.blocks()) {
      expect(firstRow).toBe(seen);
      seen += rowCount;
      for (const [row, expected] of firstRow === 0 ? sample.firstRows.entries() : []) {
        expectRow(
          vectors.map((vector) => cell(vector, row)),
          expected,
        );
      }
      lastRow = vectors.map((vector) => cell(vector, rowCount - 1));
      addSums(vectors, numbers, texts);
    }
    expectRow(lastRow, sample.lastRow ?? []);
    expect(qvd.tableName).toBe(sample.tableName);
    expect(qvd.buildNumber).toBe(sample.qvBuildNo);
    expect(qvd.rowCount).toBe(sample.rows);
    expect(seen).toBe(sample.rows);
    expect(qvd.columns.map(({ name }) => name)).toEqual(sample.fieldNames);
    expect(qvd.columns.map(({ nullCount }) => nullCount)).toEqual(sample.nullCounts);
    expect(texts).toEqual(sample.textUtf8Bytes);
    for (const [column, sum] of sample.numericSums.entries()) {
      const tolerance = Math.max(1e-9, Math.abs(sum) * 1e-9);
      expect(Math.abs((numbers[column] ?? 0) - sum)).toBeLessThanOrEqual(tolerance);
    }
  });

  it.each(samples.filter((sample) => !isSound(sample)))('$file is refused', async ({ path }) => {
    await expect(openQvd(path)).rejects.toBeInstanceOf(QvdFormatError);
  });
});
