import { describe, expect, it } from 'vitest';
import { DamagedDocumentError } from '../errors.ts';
import { oneOfEach } from '../testing/one-of-each.ts';
import { type NounName, nounNames, nouns } from './all.ts';
import { text } from './checks.ts';
import { currentForm, fromStored, toStored } from './forms.ts';
import { noun, type Stored } from './noun.ts';
import { documentReader } from './read-document.ts';
import { readers } from './readers.ts';

const samples = oneOfEach();
const sampleOf = (name: NounName) => ({ id: 'f'.repeat(24), version: 1, ...samples[name] });
const read = (name: NounName, document: object) => readers[name](JSON.stringify(document));

describe.each(nounNames)('a stored document of %s', (name) => {
  const sample = sampleOf(name);

  it('is read as it was written, with fields of a later version', () => {
    expect(read(name, sample)).toEqual(sample);
    expect(read(name, { ...sample, later: 1 })).toEqual({ ...sample, later: 1 });
  });

  it('is damaged when any field holds what it may not hold', () => {
    for (const field of Object.keys(nouns[name].fields)) {
      const damaged = { ...sample, [field]: { nonsense: [true] } };
      const isAnyObject =
        (name === 'audit' && ['before', 'after'].includes(field)) ||
        (name === 'proposals' && ['base', 'values'].includes(field));
      if (isAnyObject) continue;
      expect(() => read(name, damaged)).toThrow(DamagedDocumentError);
      expect(() => read(name, damaged)).toThrow(`${sample.id} of ${name} is damaged: ${field} `);
    }
    for (const field of ['id', 'version'])
      expect(() => read(name, { ...sample, [field]: null })).toThrow(`is damaged: ${field}`);
  });

  it('has a sample for each of its fields', () => {
    expect(Object.keys(sample).sort()).toEqual(['id', 'version', ...Object.keys(nouns[name].fields)].sort());
  });
});

it('a stored text that is no document is damaged', () => {
  for (const stored of ['', '{', 'null', '"text"'])
    expect(() => readers.users(stored)).toThrow("A document of users can't be read; restore a backup.");
});

it('documents of the audit trail have one form only: seals are computed over what was written', () => {
  for (const name of ['audit', 'toSeal', 'seals', 'trail'] as const) expect(currentForm(nouns[name])).toBe(1);
});

describe('a noun in its third form', () => {
  interface Person extends Stored {
    first: string;
    last: string;
    language: string;
  }
  const people = noun<Person>({
    name: 'people',
    fields: { first: text, last: text, language: text },
    unique: [],
    indexes: [],
    formChanges: [
      {
        fromOlder: ({ name, ...rest }) => {
          const [first, last] = String(name).split(' ');
          return { ...rest, first, last };
        },
        toOlder: ({ first, last, ...rest }) => ({ ...rest, name: `${String(first)} ${String(last)}` }),
      },
      {
        fromOlder: (person) => ({ language: 'en', ...person }),
        toOlder: (person) => Object.fromEntries(Object.entries(person).filter(([key]) => key !== 'language')),
      },
    ],
  });
  const reader = documentReader(people);
  const [id, version] = ['f'.repeat(24), 3];
  const ann = { id, version, first: 'Ann', last: 'Lee', language: 'en' };

  it('reads documents of every earlier form', () => {
    expect(reader(JSON.stringify({ id, version, name: 'Ann Lee' }))).toEqual(ann);
    expect(reader(JSON.stringify({ id, version, first: 'Ann', last: 'Lee', _form: 2 }))).toEqual(ann);
    expect(reader(JSON.stringify({ ...ann, _form: 3 }))).toEqual(ann);
  });

  it('writes the form in force, which an earlier version reads', () => {
    expect(toStored(people, ann, 1)).toEqual({ id, version, name: 'Ann Lee' });
    expect(toStored(people, ann, 2)).toEqual({ id, version, first: 'Ann', last: 'Lee', _form: 2 });
    expect(toStored(people, ann, 3)).toEqual({ ...ann, _form: 3 });
    const earlier = { ...people, formChanges: people.formChanges?.slice(0, 1) ?? [] };
    expect(fromStored(earlier, toStored(people, ann, 2))).toEqual({ id, version, first: 'Ann', last: 'Lee' });
  });

  it('refuses a form that it does not know', () => {
    expect(() => reader(JSON.stringify({ ...ann, _form: 4 }))).toThrow(/newer version .* people/);
    expect(() => reader(JSON.stringify({ ...ann, _form: 'x' }))).toThrow(/newer version/);
  });
});
