import type { GranuleInput } from '@kaptain/contract/granule-records';
import { expect } from 'vitest';
import type { Binding, DataSource } from '../data-source.ts';

let count = 0;

/** A binding to a table of its own, with a field of each type. */
export function aBinding(change: Partial<Binding> = {}): Binding {
  count += 1;
  return {
    table: `comments_${process.pid}_${count}`,
    keyField: 'OrderId',
    fields: [
      { name: 'Comment', type: 'text' },
      { name: 'Amount', type: 'number' },
      { name: 'Done', type: 'boolean' },
      { name: 'Due', type: 'date' },
      { name: 'Seen', type: 'timestamp' },
      { name: 'Tags', type: 'list' },
      { name: 'Talk', type: 'thread' },
    ],
    ...change,
  };
}

/** Creates a table of its own. */
export async function addTable(source: DataSource, change?: Partial<Binding>): Promise<Binding> {
  const binding = aBinding(change);
  expect(await source.ensureTable(binding)).toEqual({ isNew: true });
  return binding;
}

export const row = (key: string, data: Record<string, unknown> = {}, version?: number): GranuleInput => ({
  key,
  user: 'Ann',
  data,
  ...(version !== undefined && { version }),
});

export function* someRows(howMany: number, prefix = 'key'): Generator<GranuleInput> {
  for (let n = 0; n < howMany; n += 1)
    yield { key: `${prefix}-${n}`, user: 'UserId=ann', data: { Comment: `remark ${n}`, Amount: n } };
}

export const everything = { sort: 'key', descending: false, offset: 0, limit: 1_000 } as const;

export const keysOf = async (source: DataSource, binding: Binding, query: object = {}) =>
  (await source.page(binding, { ...everything, ...query })).rows.map(({ key }) => key);

export const write = (source: DataSource, binding: Binding, rows: readonly GranuleInput[]) =>
  source.transaction(binding, (writes) => writes.upsert(rows));

interface Line {
  _id: string;
  key: string;
  data: Record<string, unknown>;
  reloaded: boolean;
}

export async function linesOf(chunks: AsyncIterable<string>): Promise<Line[]> {
  let text = '';
  for await (const chunk of chunks) text += chunk;
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);
}
