import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import type { AnyNoun } from '../../nouns/all.ts';
import type { Fields } from '../../nouns/noun.ts';
import { Schema } from '../shared/upgrades/schema.ts';
import { Connection } from './connection.ts';
import { DocumentTable } from './documents.ts';
import { createNounTables } from './noun-tables.ts';
import { temporaryFile } from './testing/temporary-file.ts';

const earlier: AnyNoun = { name: 'people', unique: [], indexes: ['mail'] };
const later: AnyNoun = {
  ...earlier,
  formChanges: [
    {
      fromOlder: ({ name, ...rest }) => ({ ...rest, names: String(name).split(' ') }),
      toOlder: ({ names, ...rest }) => ({ ...rest, name: (names as string[]).join(' ') }),
    },
  ],
};
const indexes = [{ noun: 'people', field: 'mail', kind: 'index' }] as const;

const parsed = (text: string) => JSON.parse(text) as Fields;

it('writes documents that an earlier version reads, until its own form is in force', () => {
  const file = temporaryFile();
  const connection = new Connection(file, { readOnly: false, busyMs: 0 });
  createNounTables(connection, 'people');
  const tableOf = (noun: AnyNoun, forms: Record<string, number>) => {
    const schema = new Schema(indexes);
    schema.active = { forms, indexes };
    return new DocumentTable(connection, noun, schema);
  };
  const [old, fresh, last] = [tableOf(earlier, {}), tableOf(later, {}), tableOf(later, { people: 2 })];
  const { id } = parsed(old.insert(JSON.stringify({ mail: 'a@b', name: 'Ann Lee' }))) as { id: string };

  expect(parsed(fresh.patch(id, JSON.stringify({ names: ['Ann', 'Li'] })))).toEqual({
    id,
    version: 2,
    mail: 'a@b',
    name: 'Ann Li',
  });
  expect(parsed(old.patch(id, JSON.stringify({ mail: 'c@d' })))).toMatchObject({
    name: 'Ann Li',
    version: 3,
  });
  expect(fresh.findBy('mail', 'c@d')).toHaveLength(1);

  const stored = parsed(last.patch(id, JSON.stringify({ mail: 'e@f' })));
  expect(stored).toEqual({ id, version: 4, mail: 'e@f', names: ['Ann', 'Li'], _form: 2 });
  expect(() => old.patch(id, '{}')).toThrow(/newer version of the service has written to people/);
  expect(fresh.findBy('mail', 'c@d')).toEqual([]);
  expect(fresh.remove(id)).toBe(true);
  connection.close();
  const left = new DatabaseSync(file).prepare('SELECT count(*) AS count FROM people_index').get();
  expect(left).toEqual({ count: 0 });
});
