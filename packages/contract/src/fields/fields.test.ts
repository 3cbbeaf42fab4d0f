import { describe, expect, it } from 'vitest';
import { inFiles } from './field-type.ts';
import {
  type FieldType,
  fieldTypeNamed,
  fieldTypeNames,
  fieldTypes,
  isThread,
  localeOf,
  localeOfApp,
  type QvdCell,
  readText,
  textRefusal,
} from './index.ts';

const local = (...parts: [number, number, number, number, number, number?]) =>
  new Date(...parts).toISOString();

describe('the value of a text', () => {
  it.each<[FieldType, string, unknown]>([
    ['text', ' as typed ', ' as typed '],
    ['text', '   ', null],
    ['thread', 'two\nlines', 'two\nlines'],
    ['number', '1234.5', 1234.5],
    ['number', '1,234.5', 1234.5],
    ['number', '1.234,5', 1234.5],
    ['number', '1 234.5', 1234.5],
    ['number', '-0,5', -0.5],
    ['number', '9007199254740.125', 9007199254740.125],
    ['number', ' 1e3 ', 1000],
    ['number', '', null],
    // As spreadsheets show them.
    ['number', '12%', 0.12],
    ['number', '57 %', 0.57],
    ['number', '(1,234)', -1234],
    ['number', ' $ (1,234.50) ', -1234.5],
    ['number', '(€ 5)', -5],
    ['number', '€ 5', 5],
    ['number', '5 €', 5],
    ['number', '-£5', -5],
    ['number', '\u22125', -5],
    ['number', '(0)', 0],
    ['number', '(12%)', -0.12],
    ['boolean', 'Yes', true],
    ['boolean', '-1', true],
    ['boolean', 'nein', false],
    ['date', '2024-02-29', '2024-02-29'],
    ['date', '2024/2/29', '2024-02-29'],
    ['date', '1.3.2024', '2024-03-01'],
    ['date', '29/02/2024', '2024-02-29'],
    ['date', '2/29/2024', '2024-02-29'],
    ['date', '04/04/2024', '2024-04-04'],
    ['date', '31-12-2026', '2026-12-31'],
    ['date', '2026-12-31 00:00:00', '2026-12-31'],
    ['timestamp', '29.2.2024 14:30Z', '2024-02-29T14:30:00.000Z'],
    ['timestamp', '2024-02-29T14:30:05.678+02:00', '2024-02-29T12:30:05.678Z'],
    ['timestamp', '2024-02-29 5:06 -0100', '2024-02-29T06:06:00.000Z'],
    ['timestamp', '2024-02-29 5:06', local(2024, 1, 29, 5, 6)],
    ['list', 'a; b\na', ['a', 'b']],
    ['list', ' ; ', null],
    ['list', '["a",1]', ['a', 1]],
    ['paragraph', 'two\nlines', 'two\nlines'],
    ['choice', ' open ', 'open'],
    ['choices', 'open; closed; open', ['open', 'closed']],
    ['choices', '["a;b","c"]', ['a;b', 'c']],
    ['person', ' vera ', 'vera'],
    ['rating', '4', 4],
    ['rating', '', null],
    ['link', 'https://example.com', 'https://example.com/'],
    ['link', 'example.com/a b', 'https://example.com/a%20b'],
    ['link', 'mailto:vera@example.com', 'mailto:vera@example.com'],
  ])('%s %j is %j', (type, typed, value) => {
    expect(readText(fieldTypes[type], typed)).toEqual(value);
  });

  it.each<[FieldType, string]>([
    ['number', 'abc'],
    ['number', '1,2,3'],
    ['number', '12,34.5'],
    ['number', '1e999'],
    ['number', '0x10'],
    ['number', '%'],
    ['number', '1%2'],
    ['number', '12%%'],
    ['number', '(-5)'],
    ['number', '(5'],
    ['number', '()'],
    ['number', '5€50'],
    ['number', '€5€'],
    ['number', '5 EUR'],
    // A float would make another number of them.
    ['number', '9007199254740993'],
    ['number', '12345678901234567890'],
    ['rating', '4.5'],
    ['rating', '-1'],
    ['link', 'javascript:alert(1)'],
    ['link', 'no address'],
    ['choices', '[1]'],
    ['boolean', 'perhaps'],
    ['date', '2025-02-29'],
    ['date', '29.02.2025'],
    // The third of April, or the fourth of March.
    ['date', '03/04/2025'],
    ['date', '31.12.25'],
    ['date', '0026-02-02'],
    ['date', '2026-12-31 10:00'],
    ['timestamp', '0026-02-02 10:00'],
    ['date', '1.2/2025'],
    ['date', '31.12.2025 or so'],
    ['timestamp', '2025-02-29 10:00'],
    ['timestamp', '2025-02-28 25:00'],
    ['timestamp', 'tomorrow'],
    // In UTC it is in the year 10,000, or before the year 0.
    ['timestamp', '9999-12-31 23:59 -0500'],
    ['timestamp', '0000-01-01 00:00 +05:00'],
    ['list', '[a]'],
    ['list', '[{}]'],
  ])('%s refuses %j', (type, typed) => {
    expect(readText(fieldTypes[type], typed)).toBeUndefined();
    expect(fieldTypes[type].refusal).toMatch(/^is .*!$/);
  });

  it.each(fieldTypeNames)('%s: a text of a million characters is read in linear time', (type) => {
    const texts = ['1', '1,', ' ', '1 ', '-', '[', '(', '%', '€'].map(
      (part) => `2${part.repeat(1_000_000 / part.length)}x`,
    );
    texts.push(`1.${'0'.repeat(1_000_000)}1`);
    const since = performance.now();
    for (const typed of texts) readText(fieldTypes[type], typed);
    expect(performance.now() - since).toBeLessThan(5_000);
  });

  it.each<[language: string, FieldType, string, unknown]>([
    ['en-US', 'number', '1,000', 1000],
    ['de-DE', 'number', '1.000', 1000],
    ['de-DE', 'number', '1,000', 1],
    ['de-DE', 'number', '(1.234)', -1234],
    ['de-DE', 'number', '12,5 %', 0.125],
    ['de-DE', 'number', '1.234.567,8', 1234567.8],
    ['en-GB', 'number', '1.234,5', 1234.5],
    ['fr-FR', 'number', '1\u202f234,5', 1234.5],
    ['en-US', 'date', '3/4/2026', '2026-03-04'],
    ['en-GB', 'date', '3/4/2026', '2026-04-03'],
    ['de-DE', 'date', '3-4-2026', '2026-04-03'],
    ['en-US', 'date', '11/05/2026', '2026-11-05'],
    ['en-US', 'date', '13/4/2026', '2026-04-13'],
    ['pt-BR', 'timestamp', '3/4/2026 10:00Z', '2026-04-03T10:00:00.000Z'],
  ])('in %s, %s %j is %j', (language, type, typed, value) => {
    expect(readText(fieldTypes[type], typed, localeOf(language))).toBe(value);
  });

  it.each<[language: string, FieldType, string, string]>([
    ['en-US', 'number', '1,5', 'can be 1.5 or 15'],
    ['de-DE', 'number', '1.5', 'can be 1,5 or 15'],
    ['en', 'date', '3/4/2026', 'can be 2026-04-03 or 2026-03-04'],
    ['de-DE', 'date', '3.4.26', 'can be 1926-04-03 or 2026-04-03'],
    ['en-US', 'date', '12/31/26', 'can be 1926-12-31 or 2026-12-31'],
    ['en-US', 'number', '(1,5)', 'can be -1.5 or -15'],
    ['not a language', 'date', '3/4/2026', 'can be 2026-04-03 or 2026-03-04'],
  ])('in %s, %s %j %s', (language, type, typed, problem) => {
    const locale = localeOf(language === 'not a language' ? 'xx' : language);
    expect(readText(fieldTypes[type], typed, locale)).toBeUndefined();
    expect(textRefusal(fieldTypes[type], typed, locale)).toBe(`${problem}: please write it in full!`);
  });

  it.each<[app: object, FieldType, string, unknown]>([
    [{ qDecimalSep: ',' }, 'number', '1.234', 1234],
    [{ qDecimalSep: '.' }, 'number', '1,234', 1234],
    [{}, 'number', '1,234', 1234],
    [{ qDateFmt: 'DD/MM/YYYY' }, 'date', '3/4/2026', '2026-04-03'],
    [{ qDateFmt: 'M/D/YYYY' }, 'date', '3/4/2026', '2026-03-04'],
    // The app puts neither of them first.
    [{ qDateFmt: 'YYYY-MM-DD' }, 'date', '3/4/2026', undefined],
    [{ qDateFmt: '' }, 'date', '3/4/2026', '2026-03-04'],
  ])('in an app with the formats %j, %s %j is %j', (app, type, typed, value) => {
    expect(readText(fieldTypes[type], typed, localeOfApp(app, 'en-US'))).toBe(value);
  });

  it('has no two meanings in a file', () => {
    for (const [type, typed] of [
      ['number', '1,234'],
      ['number', '1.234'],
      ['date', '3/4/2026'],
    ] as const)
      expect(readText(fieldTypes[type], typed, inFiles)).toBeUndefined();
    expect(readText(fieldTypes.number, '1,5', inFiles)).toBe(1.5);
  });

  it.each<[unit: string, typed: string, value: unknown]>([
    ['%', '12%', 12],
    ['%', '12', 12],
    ['EUR', '€ 5', 5],
    ['EUR', '5 EUR', 5],
    ['EUR', '(5 eur)', -5],
    ['EUR', '$ 5', undefined],
    ['€', '5 €', 5],
    ['€', '$5', undefined],
    ['kg', '5 kg', 5],
    ['kg', '5 t', undefined],
  ])('of a field with the unit %s: %j is %j', (unit, typed, value) => {
    expect(readText(fieldTypes.number, typed, { ...localeOf('en-US'), unit })).toBe(value);
  });

  it('is in UTC in a file', () => {
    expect(readText(fieldTypes.timestamp, '2024-02-29 14:30', inFiles)).toBe('2024-02-29T14:30:00.000Z');
  });
});

const samples: Record<FieldType, unknown[]> = {
  text: ['a', '0'],
  thread: ['what was said'],
  number: [1234.5, -1e21, 0],
  boolean: [true, false],
  date: ['2024-02-29'],
  timestamp: [local(2024, 1, 29, 14, 30), local(2024, 1, 29, 14, 30, 59)],
  list: [['open', 'closed']],
  paragraph: ['two\nlines'],
  choice: ['open'],
  choices: [['open', 'closed']],
  person: ['vera'],
  rating: [3, 0],
  link: ['https://example.com/a', 'mailto:vera@example.com'],
};

describe.each(fieldTypeNames)('a value of the type %s', (name) => {
  const type = fieldTypes[name];

  it('is one of the type, and is shown so that it can be read again', () => {
    for (const value of samples[name]) {
      expect(type.canonical(value)).toEqual(value);
      expect(readText(type, type.show(value))).toEqual(value);
    }
  });

  it('is no value of another type', () => {
    for (const value of [null, undefined, { a: 1 }, Number.NaN, [{}]])
      expect(type.canonical(value)).toBeUndefined();
  });

  it('comes back from QVD', () => {
    for (const value of samples[name]) {
      const written = type.toQvd(value);
      const dual = typeof written === 'object' && written !== null ? written : undefined;
      const text = typeof written === 'string' ? written : (dual?.text ?? null);
      const number = typeof written === 'number' ? written : (dual?.number ?? null);
      const cell: QvdCell = { number, text, shown: text ?? String(number), iso: () => null };
      expect(type.fromQvd(cell)).toEqual(value);
    }
  });

  it('of another type is shown as it is, and none as nothing', () => {
    expect([null, undefined, { a: 1 }, 'soon', 1.5].map((value) => type.show(value))).toEqual([
      '',
      '',
      '{"a":1}',
      'soon',
      '1.5',
    ]);
  });
});

it('a type that is not known is edited as text, and only a thread is a thread', () => {
  expect(fieldTypeNamed('color')).toBe(fieldTypes.text);
  expect(fieldTypeNamed('toString')).toBe(fieldTypes.text);
  expect(fieldTypeNames.filter(isThread)).toEqual(['thread']);
});
