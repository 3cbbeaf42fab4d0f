import { expect, test } from 'vitest';
import { openQvd, type QvdColumnType } from './index.ts';
import { type CraftedField, craft, double, dual, int, join, text } from './testing/craft.ts';

const cases: readonly (readonly [name: string, field: CraftedField, type: QvdColumnType])[] = [
  ['integers', { symbols: join(int(1), dual(2, '2')), NoOfSymbols: 2 }, 'integer'],
  ['integers and doubles', { symbols: join(int(1), double(2.5)), NoOfSymbols: 2 }, 'number'],
  ['numbers and a text', { symbols: join(int(1), text('x')), NoOfSymbols: 2 }, 'text'],
  ['digits written as text', { symbols: text('02134'), NoOfSymbols: 1 }, 'text'],
  ['nothing', {}, 'empty'],
  ['plain numbers of format DATE', { symbols: int(45_000), NoOfSymbols: 1, Type: 'DATE' }, 'date'],
  [
    'numbers of format TIMESTAMP',
    { symbols: double(45_000.5), NoOfSymbols: 1, Type: 'TIMESTAMP' },
    'timestamp',
  ],
  ['numbers of format TIME', { symbols: double(0.5), NoOfSymbols: 1, Type: 'TIME' }, 'time'],
  ['texts of format DATE', { symbols: text('soon'), NoOfSymbols: 1, Type: 'DATE' }, 'text'],
  [
    'duals tagged as dates',
    { symbols: dual(45_000, 'x'), NoOfSymbols: 1, Tags: ['$date', '$timestamp'] },
    'date',
  ],
  [
    'duals tagged as dates by an old build',
    { symbols: dual(45_000, 'x'), NoOfSymbols: 1, Type: '0', Tags: ['$date'] },
    'date',
  ],
  [
    'duals tagged as timestamps',
    { symbols: dual(45_000, 'x'), NoOfSymbols: 1, Tags: ['$timestamp'] },
    'timestamp',
  ],
  [
    'plain integers wrongly tagged as dates',
    { symbols: int(43_659), NoOfSymbols: 1, Tags: ['$date'] },
    'integer',
  ],
  [
    'an INTEGER key tagged as a date',
    { symbols: dual(43_659, 'x'), NoOfSymbols: 1, Type: 'INTEGER', Tags: ['$date'] },
    'integer',
  ],
  ['20131201 of format DATE', { symbols: int(20_131_201), NoOfSymbols: 1, Type: 'DATE' }, 'integer'],
];

test.each(cases)('%s', async (_, field, type) => {
  const qvd = await openQvd(new Blob([craft({ fields: [field] })]));
  expect(qvd.columns[0]?.type).toBe(type);
});
