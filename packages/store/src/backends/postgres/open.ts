import { UnavailableError } from '../../errors.ts';
import { nouns } from '../../nouns/all.ts';
import { readers } from '../../nouns/readers.ts';
import type { Nouns, Store } from '../../store.ts';
import { Batches } from '../shared/batches.ts';
import { documentsByNoun } from '../shared/documents-by-noun.ts';
import { RepeatedSteps } from '../shared/repeated-steps.ts';
import { typedDocuments } from '../shared/typed-documents.ts';
import { describeChange, type Schema } from '../shared/upgrades/schema.ts';
import { ChangeFeed } from './change-feed.ts';
import type { PostgresOptions } from './config.ts';
import { Connections, type Work } from './connections.ts';
import { DeletionNumbering } from './deletion-numbering.ts';
import { DocumentTable } from './documents.ts';
import { fieldIndexing } from './granules/field-indexing.ts';
import { granuleWrites, postgresGranules } from './granules/granules.ts';
import { Purging } from './granules/purging.ts';
import { Saves } from './granules/save.ts';
import { indexRows } from './granules/search-indexing.ts';
import {
  changeMark,
  kapsulesWith,
  pairOf,
  sessionsWithUsers,
  visibleTo,
  visibleToPairs,
} from './request-reads.ts';
import type { Session } from './session.ts';
import { PING_LIMIT_MS, UNIT_LIMIT_MS } from './tuning.ts';
import { SERIALIZABLE, Units } from './unit.ts';
import { migrate, readVersion } from './upgrades/migrations.ts';
import { PendingChanges } from './upgrades/pending-changes.ts';

type Run = <T>(work: Work<T>) => Promise<T>;

/** Opens the database and brings its schema up to date; throws UnavailableError with a sentence for the admin. */
export async function open(options: PostgresOptions): Promise<Store> {
  const connections = new Connections(options);
  const feed = new ChangeFeed(connections);
  const purging = new Purging(connections);
  try {
    await connections.locate();
    await migrate(connections);
    await feed.start();
  } catch (error) {
    feed.stop();
    await connections.close();
    throw error;
  }
  connections.breaker.start(
    () => feed.ask(),
    () => {
      connections.renew();
      feed.renew();
    },
  );
  const indexing = [new RepeatedSteps(fieldIndexing(connections))];
  if (connections.hasTrigrams)
    indexing.push(
      new RepeatedSteps(() => connections.atomically(connections.granuleWrites, 'BEGIN', indexRows)),
    );
  const pendingChanges = new PendingChanges(connections);
  const numbering = new DeletionNumbering(connections);
  const background = {
    purging,
    stop: () => {
      purging.stop();
      // A step under way ends with its connection.
      for (const steps of indexing) void steps.stop();
      pendingChanges.stop();
      numbering.stop();
    },
  };
  purging.start();
  numbering.start();
  pendingChanges.start();
  return storeOn(connections, feed, background, options.unitLimitMs ?? UNIT_LIMIT_MS);
}

interface Background {
  purging: Purging;
  stop: () => void;
}

function storeOn(
  connections: Connections,
  feed: ChangeFeed,
  { purging, stop }: Background,
  unitLimitMs: number,
): Store {
  const { schema } = connections;
  const units = new Units(connections);
  const read: Run = (work) => connections.read(work);
  const write: Run = async (work) => {
    units.refuseInside();
    return connections.atomically(connections.documentWrites, SERIALIZABLE, work);
  };
  const saves = new Saves(connections);
  const sessions = new Batches((hashes) => read((session) => sessionsWithUsers(session, hashes)));
  const reaches = new Batches((pairs) => read((session) => visibleToPairs(session, pairs)));
  const kapsules = new Batches((ids) => read((session) => kapsulesWith(session, ids)));
  const marks = new Batches(() => read(async (session) => new Map([['', await changeMark(session)]])));
  const auditIn = (session: Session, audit: (nouns: Nouns) => Promise<void>) =>
    units.guarded(session, unitLimitMs, (step) => audit(nounsOn(schema, step, step)));
  const allNouns = nounsOn(schema, read, write);
  return {
    ...allNouns,
    // Every save asks for its kapsule.
    kapsules: {
      ...allNouns.kapsules,
      async get(id) {
        const text = await kapsules.get(id);
        return text === undefined ? undefined : readers.kapsules(text);
      },
    },
    granules: postgresGranules({ connections, units, feed, purging, auditIn }),
    sessionWithUser: (tokenHash) => sessions.get(tokenHash),
    async visibleTo(userId, kapsuleId) {
      if (kapsuleId === undefined) return read((session) => visibleTo(session, userId));
      return (await reaches.get(pairOf(userId, kapsuleId))) ?? { groups: [], kapsules: [] };
    },
    changeMark: async () => (await marks.get('')) ?? '',
    async transaction(work) {
      const changed = new Set<string>();
      let hasPurged = false;
      const result = await units.run(unitLimitMs, (step) => {
        changed.clear();
        // A refused write of granules may have written some of them already.
        const inStep: Run = (part) => step((session) => session.step(() => part(session)));
        const granules = granuleWrites(inStep, (kapsuleId) => changed.add(kapsuleId));
        const purgeKapsule = (kapsuleId: string) => {
          hasPurged = true;
          return granules.purgeKapsule(kapsuleId);
        };
        return work({ ...nounsOn(schema, step, step), granules: { ...granules, purgeKapsule } });
      });
      feed.changed(changed);
      if (hasPurged) purging.start();
      return result;
    },
    async save(saving) {
      units.refuseInside();
      const saved = await saves.save(saving);
      feed.changed([saving.kapsuleId]);
      feed.announce(saving.kapsuleId);
      return saved;
    },
    schemaVersion: () => read((session) => readVersion(session, connections.options.database)),
    pendingChanges: () => schema.changes().map(describeChange),
    pools: () => connections.pools,
    ping: () => ping(connections),
    async close() {
      feed.stop();
      stop();
      await saves.close();
      await connections.close();
    },
  };
}

/** `read` and `write` lead to the connection that the documents are read from and written to. */
function nounsOn(schema: Schema, read: Run, write: Run): Nouns {
  return documentsByNoun((noun, reader) => {
    const table = new DocumentTable(nouns[noun], schema);
    type Method = (session: Session, ...args: unknown[]) => Promise<unknown>;
    const methods = table as unknown as Record<string, Method>;
    const call = (session: Session, method: string, args: unknown[]) =>
      (methods[method] as Method).call(table, session, ...args);
    return typedDocuments(
      reader,
      (method, args) => read((session) => call(session, method, args)),
      (method, args) => write((session) => call(session, method, args)),
    );
  });
}

async function ping(connections: Connections): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new UnavailableError('The database does not answer.')),
    PING_LIMIT_MS,
  );
  try {
    await Promise.race([connections.read((session) => session.exec('SELECT 1')), promise]);
  } finally {
    clearTimeout(timer);
  }
}
