import { resolve } from 'node:path';
import { UnavailableError } from '../../errors.ts';
import type { NounName } from '../../nouns/all.ts';
import type { Stored } from '../../nouns/noun.ts';
import type { Documents, Nouns, Store } from '../../store.ts';
import { checkFile } from './file-check.ts';
import { embeddedGranules } from './granules/embedded-granules.ts';
import { granuleWrites } from './granules/writes.ts';
import type { DocumentMethod } from './messages.ts';
import { Reader } from './reader.ts';
import { typedDocuments } from './typed-documents.ts';
import { runUnit } from './unit.ts';
import { Writer } from './writer.ts';

export interface EmbeddedOptions {
  file: string;
  /** How long a unit of work may keep the others waiting before it is rolled back. */
  unitLimitMs?: number;
}

type OnDocument = (noun: NounName, method: DocumentMethod, args: unknown[]) => Promise<unknown>;

const PING_LIMIT_MS = 2_000;

/** Opens the database file, creates it when there is none; throws UnavailableError with a sentence for the admin. */
export async function openEmbeddedStore({ file, unitLimitMs = 30_000 }: EmbeddedOptions): Promise<Store> {
  const path = resolve(file);
  checkFile(path);
  const writer = new Writer(path);
  let reader: Reader;
  try {
    await writer.send({ kind: 'ping' });
    reader = new Reader(path);
  } catch (error) {
    await writer.close(() => undefined);
    throw error;
  }
  const read: OnDocument = (noun, method, args) => reader.onDocument(noun, method, args);
  const write: OnDocument = (noun, method, args) =>
    writer.exclusive(() => writer.send({ kind: 'document', noun, method, args, inUnit: false }));

  const listeners = new Set<(kapsuleId: string) => void>();
  const touched = (kapsuleId: string) => {
    for (const listener of listeners) listener(kapsuleId);
  };
  const transaction: Store['transaction'] = async (work) => {
    const changed = new Set<string>();
    const result = await runUnit(writer, unitLimitMs, (step) => {
      const call: OnDocument = (noun, method, args) =>
        step({ kind: 'document', noun, method, args, inUnit: true });
      const granules = granuleWrites(
        (method, args) => step({ kind: 'granules', method, args, inUnit: true }),
        (kapsuleId) => changed.add(kapsuleId),
      );
      return work({ ...nounsOn(call, call), granules });
    });
    changed.forEach(touched);
    return result;
  };

  return {
    ...nounsOn(read, write),
    granules: embeddedGranules({ writer, connection: reader.connection, transaction, listeners, touched }),
    sessionWithUser: async (tokenHash) => reader.sessionWithUser(tokenHash),
    transaction,
    ping: () => ping(writer),
    // The reader goes first: whoever closes last folds the journal into the file.
    close: () => writer.close(() => reader.connection.close()),
  };
}

function nounsOn(read: OnDocument, write: OnDocument): Nouns {
  const on = <T extends Stored>(noun: NounName): Documents<T> =>
    typedDocuments<T>(
      (method, args) => read(noun, method, args),
      (method, args) => write(noun, method, args),
    );
  return {
    users: on('users'),
    groups: on('groups'),
    kapsules: on('kapsules'),
    apiKeys: on('apiKeys'),
    sessions: on('sessions'),
    tickets: on('tickets'),
    jobs: on('jobs'),
    audit: on('audit'),
    instance: on('instance'),
  };
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
