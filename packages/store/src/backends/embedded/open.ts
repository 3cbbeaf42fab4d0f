import { resolve } from 'node:path';
import { UnavailableError } from '../../errors.ts';
import type { NounName } from '../../nouns/all.ts';
import type { Nouns, Store } from '../../store.ts';
import { documentsByNoun } from '../shared/documents-by-noun.ts';
import type { DocumentMethod } from '../shared/typed-documents.ts';
import { typedDocuments } from '../shared/typed-documents.ts';
import { describeChange } from '../shared/upgrades/schema.ts';
import { ChangeFeed } from './change-feed.ts';
import type { Connection } from './connection.ts';
import { DirectSaves } from './direct-saves.ts';
import { checkFile } from './file-check.ts';
import { type GranuleMethod, needsUpkeep } from './granules/commands.ts';
import { type Deps, embeddedGranules } from './granules/granules.ts';
import { kapsulesToReplaceIn } from './granules/replace-more.ts';
import { granuleWrites } from './granules/writes.ts';
import { MainConnection } from './main-connection.ts';
import { Readers } from './readers.ts';
import { SaveQueue } from './save-queue.ts';
import { LONG_UNIT_MS, PING_LIMIT_MS } from './tuning.ts';
import { runUnit, type Step } from './unit.ts';
import { schemaVersion } from './upgrades/migrations.ts';
import { type BeforeUpgrade, upgradeFile } from './upgrades/upgrade-file.ts';
import { Writer } from './writer.ts';

export interface EmbeddedOptions {
  file: string;
  /** How long a unit of work may keep the others waiting before it is rolled back. */
  unitLimitMs?: number;
  /** Called before a change after which earlier versions may not open the file. */
  beforeUpgrade?: BeforeUpgrade;
}

type OnDocument = (noun: NounName, method: DocumentMethod, args: unknown[]) => Promise<unknown>;

/** Opens the database file, creates it when there is none; throws UnavailableError with a sentence for the admin. */
export async function openEmbeddedStore(options: EmbeddedOptions): Promise<Store> {
  const { file, unitLimitMs = 30_000, beforeUpgrade = () => () => undefined } = options;
  const path = resolve(file);
  checkFile(path);
  upgradeFile(path, beforeUpgrade);
  let reader: MainConnection | undefined;
  const writer = new Writer(path, () => reader !== undefined && needsUpkeep(reader.connection));
  try {
    await writer.send({ kind: 'ping' });
    reader = new MainConnection(path);
    await replaceTheRest(writer, reader.connection);
    // Other maintenance that an earlier process has not finished.
    writer.upkeepSoon();
  } catch (error) {
    await writer.close(async () => undefined);
    throw error;
  }
  const readers = new Readers(path);
  const feed = new ChangeFeed(reader.connection);
  const saves = new SaveQueue(
    writer,
    new DirectSaves(reader.connection, (request, mostStored) => reader.save(request, mostStored)),
  );
  const read: OnDocument = (noun, method, args) => reader.onDocument(noun, method, args);
  const write: OnDocument = (noun, method, args) =>
    writer.exclusive(() => writer.send({ kind: 'document', noun, method, args, inUnit: false }));
  const longUnit: Deps['longUnit'] = (work) =>
    runUnit(writer, LONG_UNIT_MS, (step) => work(nounsOfUnit(step), granulesOfUnit(step)));

  return {
    ...nounsOn(read, write),
    granules: embeddedGranules({ writer, connection: reader.connection, readers, feed, longUnit }),
    sessionWithUser: async (tokenHash) => reader.sessionWithUser(tokenHash),
    visibleTo: (userId, kapsuleId) => reader.visibleTo(userId, kapsuleId),
    changeMark: async () => reader.changeMark(),
    async transaction(work) {
      const changed = new Set<string>();
      const result = await runUnit(writer, unitLimitMs, (step) => {
        const granules = granuleWrites(granulesOfUnit(step), (kapsuleId) => changed.add(kapsuleId));
        return work({ ...nounsOfUnit(step), granules });
      });
      feed.changed(changed);
      return result;
    },
    async save(saving) {
      const saved = await saves.save(saving);
      feed.changed([saving.kapsuleId]);
      return saved;
    },
    schemaVersion: async () => schemaVersion(reader.connection),
    pendingChanges: () => reader.schema.changes().map(describeChange),
    pools: () => [...writer.pools, saves.pool, readers.pool],
    ping: () => ping(writer),
    close: () =>
      writer.close(async () => {
        // The readers close first: the last connection to close checkpoints the write-ahead log.
        feed.stop();
        await readers.close();
        reader.connection.close();
      }),
  };
}

function nounsOfUnit(step: Step): Nouns {
  const call: OnDocument = (noun, method, args) =>
    step({ kind: 'document', noun, method, args, inUnit: true });
  return nounsOn(call, call);
}

function granulesOfUnit(step: Step): (method: GranuleMethod, args: unknown[]) => Promise<unknown> {
  return (method, args) => step({ kind: 'granules', method, args, inUnit: true });
}

function nounsOn(read: OnDocument, write: OnDocument): Nouns {
  return documentsByNoun((noun, reader) =>
    typedDocuments(
      reader,
      (method, args) => read(noun, method, args),
      (method, args) => write(noun, method, args),
    ),
  );
}

/** Replaces the rows that published imports of an earlier process have still to replace. */
async function replaceTheRest(writer: Writer, connection: Connection): Promise<void> {
  const more = (kapsuleId: string) =>
    writer.exclusive(() =>
      writer.send({ kind: 'granules', method: 'replaceMore', args: [kapsuleId], inUnit: false }),
    );
  try {
    for (const kapsuleId of kapsulesToReplaceIn(connection)) while (await more(kapsuleId));
  } catch {
    // A full disk must not keep the service from starting; maintenance goes on when there is space.
  }
}

async function ping(writer: Writer): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new UnavailableError('The database does not answer; another process may hold it.')),
    PING_LIMIT_MS,
  );
  try {
    await Promise.race([writer.send({ kind: 'ping' }), promise]);
  } finally {
    clearTimeout(timer);
  }
}
