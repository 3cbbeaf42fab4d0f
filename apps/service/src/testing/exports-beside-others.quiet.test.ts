import type { FieldType } from '@kaptain/contract';
import type { GranuleInput } from '@kaptain/store';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { inTurn, sized } from '../../../../tools/test-size.ts';
import { tableThreads } from '../kapsules/export/table-threads.ts';
import type { Caller } from './caller.ts';
import { addKapsule } from './kapsules.ts';
import { delaysBeside, drained } from './others-beside.ts';
import { type TestApp, testApp } from './test-app.ts';

interface Shape {
  rows: number;
  fields: readonly string[];
  types?: readonly FieldType[];
  data: (row: number) => GranuleInput['data'];
}

const numbered = (count: number, name: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => name(n));
const long = 'p'.repeat(245);
const undeclared = numbered(1_000, (n) => `${long}x${String(n).padStart(3, '0')}`);
/** The same names in another order for each row; 7,919 is a prime. */
const shuffled = (names: readonly string[], row: number) =>
  names.map((_, n) => names[((n + row) * 7_919) % names.length] as string);
const escaped = '\\"\n\t\u0001/'.repeat(20);
const countries = ['Deutschland', 'España', 'Österreich', '日本', 'Россия', 'Ελλάδα'];

/** Some members missing and some in another order, so that few rows look like the one before. */
function mixed(row: number): GranuleInput['data'] {
  const members: [string, string | number][] = [
    ['Amount', row * 1.37 + 0.013],
    ['OrderDate', new Date(Date.UTC(2010, 0, 1 + (row % 3_650))).toISOString().slice(0, 10)],
    ['Comment', `Kommentar nr ${row}: lorem ipsum, größe ${row % 97} äöü${row % 11 ? '' : ' "\\"'}`],
    ['Country', `${countries[row % 6]} ${row % 200}`],
  ];
  const kept = members.filter((_, n) => (row * 31) % (n + 7) !== 0);
  return Object.fromEntries(row % 5 ? kept : kept.toReversed());
}

const shapes: Record<string, Shape> = {
  'a thousand long members that no field has': {
    rows: sized(120, 12),
    fields: numbered(1_000, (n) => long + String(n).padStart(4, '0')),
    data: (row) => Object.fromEntries(shuffled(undeclared, row).map((name) => [name, 'x'.repeat(row % 3)])),
  },
  'sparse rows': {
    rows: sized(200_000, 20_000),
    fields: numbered(20, (n) => `field ${n}`),
    data: (row) => ({ [`field ${(row * 7) % 20}`]: `value ${row}` }),
  },
  'lists of 20,000 texts': {
    rows: sized(50, 8),
    fields: ['list'],
    types: ['list'],
    data: (row) => ({ list: numbered(20_000, (n) => `t${(n + row) % 977}`) }),
  },
  escapes: {
    rows: sized(120, 20),
    fields: ['text'],
    data: (row) => ({ text: `${row}${escaped.repeat(500)}` }),
  },
  'rows of many shapes': {
    rows: sized(300_000, 30_000),
    fields: ['Comment', 'Amount', 'OrderDate', 'Country'],
    types: ['text', 'number', 'date', 'text'],
    data: mixed,
  },
};

const formats = ['csv', 'qvd', 'json', 'ndjson'];
const paths = ['export', 'sql/read'].flatMap((call) => formats.map((format) => `${call}?format=${format}`));
const isTable = (path: string) => /csv|qvd/.test(path);
/** At the usual size one table and one JSON file of each shape, with another format and call each time. */
const cases = Object.keys(shapes).flatMap((shape, turn) =>
  [paths.filter(isTable), paths.filter((path) => !isTable(path))]
    .flatMap((some) => inTurn(some, turn, 4))
    .map((path) => ({ shape, path })),
);

let app: TestApp;
let url = '';
let [reader, other]: Caller[] = [];
const ids = new Map<string, Promise<string>>();

beforeAll(async () => {
  app = await testApp();
  url = await app.http.listen({ host: '127.0.0.1', port: 0 });
  [reader, other] = [await app.asAdmin(), await app.asUser('vera')];
});

afterAll(() => app[Symbol.asyncDispose]());

async function fill(name: string, { rows, fields, types, data }: Shape): Promise<string> {
  const kapsule = await addKapsule(app.store, name, {
    fields: fields.map((field, n) => ({ _id: `f${n}`, name: field, type: types?.[n] ?? 'text' })),
  });
  function* granules(): Generator<GranuleInput> {
    for (let row = 0; row < rows; row++) yield { key: `key ${row}`, user: 'TEST\\otto', data: data(row) };
  }
  await app.store.granules.importAll(kapsule.id, granules(), async () => undefined);
  return kapsule.id;
}

it.each(cases)('$path of $shape leaves the service to the others', async ({ shape, path }) => {
  const filling = ids.get(shape) ?? fill(shape, shapes[shape] as Shape);
  ids.set(shape, filling);
  const id = await filling;
  const delays = await delaysBeside({
    other: () => drained(url, '/api/kapsule', other?.token),
    heavy: () => drained(url, `/api/kapsule/${id}/${path}`, reader?.token),
  });
  expect(delays).toEqual([]);
});

it('clients that leave while their files are made leave no permit and no file behind', async () => {
  const id = await (ids.get('rows of many shapes') ??
    fill('left early', shapes['rows of many shapes'] as Shape));
  const files = () => tableThreads.use.files;
  // A user may have four exports at once.
  for (const format of ['csv', 'qvd', 'csv', 'qvd', 'csv', 'qvd']) {
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${reader?.token}` };
    const asked = fetch(`${url}/api/kapsule/${id}/export?format=${format}`, {
      headers,
      signal: leaving.signal,
    });
    await vi.waitFor(() => expect(files()).toBe(1), { interval: 1 });
    leaving.abort();
    await asked.then((answer) => answer.body?.cancel()).catch(() => undefined);
    await vi.waitFor(() => expect(files()).toBe(0));
  }
  expect(await drained(url, `/api/kapsule/${id}/export?format=qvd`, reader?.token)).toBeTruthy();
});
