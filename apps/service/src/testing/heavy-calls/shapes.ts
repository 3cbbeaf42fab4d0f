import { type FieldType, limits } from '@kaptain/contract';

type Data = Record<string, unknown>;

/** Granules that are expensive to handle, each shape for its own reason. */
export interface Shape {
  name: string;
  fields: { name: string; type: FieldType }[];
  howMany: number;
  data(row: number): Data;
}

const texts = (...names: string[]) => names.map((name) => ({ name, type: 'text' as const }));
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

const countries = ['Deutschland', 'España', 'Österreich', '日本', 'Россия', 'Brasil', 'Ελλάδα', 'Türkiye'];

/** Rows like those of companies: texts in several scripts, missing values, neighbours of different shapes. */
function mixedRow(row: number): Data {
  const chance = (row * 2_654_435_761) % 100;
  return {
    ...(chance >= 30 && {
      Comment: `Kommentar nr ${row % 100_000}: lorem ipsum, größe ${row % 97} äöü\n"${chance}"`,
    }),
    Amount: (row % 200_000) * 1.37 + 0.013,
    OrderDate: new Date(Date.UTC(2009, 6, 6) + (row % 3650) * 86_400_000).toISOString().slice(0, 10),
    ...(chance % 20 !== 0 && { Country: `${countries[row % 8]} ${row % 200}` }),
  };
}

const mixedFields: Shape['fields'] = [
  { name: 'Comment', type: 'text' },
  { name: 'Amount', type: 'number' },
  { name: 'OrderDate', type: 'date' },
  { name: 'Country', type: 'text' },
];

const longName = (index: number) => 'p'.repeat(245) + String(index).padStart(4, '0');

const all = (isFull: boolean): Shape[] => [
  {
    name: 'a thousand long names, and as many members that are no field',
    fields: texts(...times(1000, longName)),
    howMany: isFull ? 15 : 9,
    data: (row) =>
      Object.fromEntries(
        times(1000, (index) => [
          `${'p'.repeat(245)}x${String((index * 7 + row) % 1000).padStart(3, '0')}`,
          1,
        ]),
      ),
  },
  {
    name: 'as many patterns as may be, that many ways lead through',
    fields: times(limits.patternsPerKapsule, (index) => ({
      name: `p${index}`,
      type: 'text' as const,
      pattern: '(a?){20}(a|aa)*b?',
    })),
    howMany: isFull ? 15 : 9,
    data: () =>
      Object.fromEntries(times(limits.patternsPerKapsule, (index) => [`p${index}`, 'a'.repeat(300)])),
  },
  {
    name: 'one of 20 fields filled',
    fields: texts(...times(20, (index) => `field ${index}`)),
    howMany: isFull ? 10_000 : 6_000,
    data: (row) => ({ [`field ${row % 20}`]: `value ${row}` }),
  },
  {
    name: 'lists of 20,000 texts',
    fields: [{ name: 'list', type: 'list' }],
    howMany: isFull ? 15 : 4,
    data: (row) => ({ list: times(20_000, (index) => `text${row}`.slice(0, 4) + (index % 10)) }),
  },
  {
    name: 'texts of 100,000 escapes',
    fields: texts('text'),
    howMany: isFull ? 20 : 8,
    data: (row) => ({ text: '"\\\n\u0001'.repeat(10_000) + row }),
  },
  {
    name: 'values of 250 KiB',
    fields: texts('text', 'other'),
    howMany: isFull ? 30 : 8,
    data: (row) => ({ text: 'ä'.repeat(127_000) + row, other: `o${row}` }),
  },
  {
    name: 'as many threads as a kapsule may have',
    fields: [
      { name: 'amount', type: 'number' },
      ...times(limits.threadFieldsPerKapsule, (index) => ({
        name: `thread ${index}`,
        type: 'thread' as const,
      })),
    ],
    howMany: isFull ? 8_000 : 5_000,
    data: (row) => ({ amount: row }),
  },
  {
    name: 'rows of a company',
    fields: mixedFields,
    howMany: isFull ? 1_000_000 : 5_000,
    data: mixedRow,
  },
];

/** At the usual size the shape that froze the service for longest, and the rows of a company. */
export function shapesOf(isFull: boolean): Shape[] {
  const shapes = all(isFull);
  return isFull ? shapes : [shapes.at(0), shapes.at(-1)].filter((shape) => shape !== undefined);
}
