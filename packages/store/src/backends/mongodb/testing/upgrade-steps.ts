import { BSON, type Document, type IndexDescriptionInfo } from 'mongodb';
import type { Fields } from '../../../nouns/noun.ts';
import type { UpgradedDatabase } from '../../../testing/upgrade.contract.ts';
import type { DeclaredIndex } from '../../shared/upgrades/declared-indexes.ts';
import type { Database } from '../database.ts';

interface Collection {
  name: string;
  indexes: IndexDescriptionInfo[];
  documents: Document[];
}

/** Fills an empty database with what `npm run release:data` has stored, and closes it. */
export async function restoreDump(database: Database, dump: Buffer): Promise<void> {
  for (const { name, indexes, documents } of BSON.EJSON.parse(dump.toString('utf8')) as Collection[]) {
    const collection = database.db.collection(name);
    await database.db.createCollection(name);
    for (const { key, unique = false, sparse = false } of indexes)
      if (!Object.hasOwn(key, '_id') || Object.keys(key).length > 1)
        await collection.createIndex(key, { unique, sparse });
    if (documents.length > 0) await collection.insertMany(documents);
  }
  await database.close();
}

const schema = { _id: 'schema' } as const;

/** The steps with which the tests of upgrades change a database. */
export function upgradeSteps(database: Database): Omit<UpgradedDatabase, 'open' | 'discard'> {
  const { schemaRecord, instances } = database;
  const users = database.noun('users');
  return {
    async makeEarlier() {
      const role: DeclaredIndex = { noun: 'users', field: 'role', kind: 'index' };
      const qlikId: DeclaredIndex = { noun: 'users', field: 'qlikId', kind: 'index' };
      await users.dropIndex('i.role_1__id_1');
      await users.createIndex({ 'i.qlikId': 1, _id: 1 });
      await users.updateMany({}, { $unset: { 'i.role': '' } });
      const { indexes = [] } = (await schemaRecord.findOne(schema)) ?? {};
      const earlier = [...indexes.filter(({ noun, field }) => `${noun}.${field}` !== 'users.role'), qlikId];
      if (earlier.length !== indexes.length) throw new Error(`There was no index on ${role.field}.`);
      const $unset = { 'forms.groups': '', 'forms.apiKeys': '' } as const;
      await schemaRecord.updateOne(schema, { $set: { indexes: earlier }, $unset });
    },
    async makeNewer(by) {
      const change = {
        additions: { done: 999 },
        form: { forms: { users: 999 } },
        tables: { forms: {}, least: 999 },
      };
      await schemaRecord.updateOne(schema, { $set: change[by] });
    },
    async useAsOtherVersion() {
      await instances.insertOne({ _id: 'other', schema: 1, beat: 1 });
      return async () => void (await instances.deleteOne({ _id: 'other' }));
    },
    async qlikIdEntries() {
      const shapes = await users.find().toArray();
      return shapes.flatMap(({ i }) => i['qlikId'] ?? []);
    },
    async stored(noun) {
      const shapes = await database.noun(noun).find().sort({ _id: 1 }).toArray();
      return shapes.map(({ doc }) => JSON.parse(doc) as Fields);
    },
  };
}
