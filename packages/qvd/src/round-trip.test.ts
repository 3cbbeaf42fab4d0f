import { describe, expect, it } from 'vitest';
import { inTurn } from '../../../tools/test-size.ts';
import { openQvd, type QvdTable, writeQvd } from './node.ts';
import { isSound, loadSamples } from './testing/samples.ts';

async function copy(qvd: QvdTable): Promise<QvdTable> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of writeQvd(qvd, qvd.rows())) chunks.push(chunk);
  return await openQvd(new Blob(chunks));
}

describe('a real file, read, written and read again', () => {
  it.each(inTurn(loadSamples().filter(isSound), 0, 3))('$file keeps every value', async ({ path }) => {
    await using original = await openQvd(path);
    await using second = await copy(original);
    expect(second.tableName).toBe(original.tableName);
    expect(second.rowCount).toBe(original.rowCount);
    const facts = (qvd: QvdTable) => qvd.columns.map(({ name, tags, type }) => ({ name, tags, type }));
    expect(facts(second)).toEqual(facts(original));
    const others = second.rows();
    let differing = 0;
    for await (const row of original.rows()) {
      const other = (await others.next()).value as typeof row;
      if (row.some((value, column) => !same(value, other[column]))) differing++;
    }
    expect(differing).toBe(0);
    expect((await others.next()).done).toBe(true);
    expect(second.columns.map(({ nullCount }) => nullCount)).toEqual(
      original.columns.map(({ nullCount }) => nullCount),
    );
  });
});

function same(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || a === null) return Object.is(a, b);
  const [one, two] = [a, b] as { number: number; text: string }[];
  return two !== undefined && Object.is(one?.number, two.number) && one?.text === two.text;
}
