import type { Granules, GranuleWrites } from '../../../granules.ts';
import { isId } from '../../../ids.ts';
import { Batches } from '../../shared/batches.ts';
import { inBatches } from '../../shared/granule-batches.ts';
import { toRow } from '../../shared/granule-row.ts';
import type { ChangeFeed } from '../change-feed.ts';
import { BEGIN_GRANULES, type Connections, type Work } from '../connections.ts';
import type { Session } from '../session.ts';
import type { Units } from '../unit.ts';
import { findCounter, noCounts, readChangesPerDay, readCounts, readCountsOfAll } from './counters.ts';
import { readDeletedSince } from './deletions.ts';
import { noteFields } from './field-indexes.ts';
import { importAll } from './import-all.ts';
import { readLookup } from './lookup.ts';
import { markReloaded } from './mark-reloaded.ts';
import { readPage } from './page.ts';
import { purgeKapsule } from './purge.ts';
import type { Purging } from './purging.ts';
import { readHistory, readKapsulesOf, readRecord } from './records.ts';
import { removeMany, restoreMany, type Touched } from './remove.ts';
import { streamGranules } from './stream.ts';
import { upsertBatch, upsertRows } from './upsert.ts';

interface Deps {
  connections: Connections;
  units: Units;
  feed: ChangeFeed;
  purging: Purging;
  /** Writes the audit entry of an import inside its transaction. */
  auditIn: (session: Session, audit: (nouns: Nouns) => Promise<void>) => Promise<void>;
}

type Nouns = Parameters<Parameters<Granules['importAll']>[2]>[0];

/** The writes on the connection that `write` provides; `touched` is called for every kapsule that they change. */
export function granuleWrites(
  write: <T>(work: Work<T>) => Promise<T>,
  touched: (kapsuleId: string) => void,
): GranuleWrites {
  const onIds = async (work: Work<Touched>) => {
    const { ids, kapsuleIds } = await write(work);
    kapsuleIds.forEach(touched);
    return ids;
  };
  const onKapsule = async <T>(kapsuleId: string, work: Work<T>) => {
    const result = await write(work);
    touched(kapsuleId);
    return result;
  };
  return {
    async upsert(kapsuleId, rows) {
      const granuleRows = rows.map(toRow);
      return onKapsule(kapsuleId, (session) => upsertRows(session, kapsuleId, granuleRows));
    },
    removeMany: (ids, by) => onIds((session) => removeMany(session, ids.filter(isId), by)),
    restoreMany: (ids, by) => onIds((session) => restoreMany(session, ids.filter(isId), by)),
    markReloaded: (kapsuleId, watermark) =>
      onKapsule(kapsuleId, (session) => markReloaded(session, kapsuleId, watermark)),
    purgeKapsule: (kapsuleId) => onKapsule(kapsuleId, (session) => purgeKapsule(session, kapsuleId)),
  };
}

export function postgresGranules({ connections, units, feed, purging, auditIn }: Deps): Granules {
  const write = async <T>(work: Work<T>) => {
    units.refuseInside();
    return connections.atomically(connections.granuleWrites, BEGIN_GRANULES, work);
  };
  const counts = new Batches((ids) => connections.read((session) => readCounts(session, ids)));
  const writes = granuleWrites(write, (kapsuleId) => feed.changed([kapsuleId]));
  return {
    ...writes,
    async purgeKapsule(kapsuleId) {
      await writes.purgeKapsule(kapsuleId);
      purging.start();
    },
    bulkUpsert: (kapsuleId, rows) =>
      inBatches(rows, async (batch) => {
        await write((session) => upsertBatch(session, kapsuleId, batch));
        feed.changed([kapsuleId]);
      }),
    async importAll(kapsuleId, rows, audit) {
      units.refuseInside();
      const stored = await importAll(connections, kapsuleId, rows, (session, count) =>
        auditIn(session, (nouns) => audit(nouns, count)),
      );
      feed.changed([kapsuleId]);
      return stored;
    },
    counts: async (kapsuleId) => (await counts.get(kapsuleId)) ?? { ...noCounts },
    countsOfAll: () => connections.read(readCountsOfAll),
    watermark: (kapsuleId) =>
      connections.read(async (session) => (await findCounter(session, kapsuleId))?.lastChange ?? 0),
    deletedSince: (kapsuleId, watermark) =>
      connections.snapshot((session) => readDeletedSince(session, kapsuleId, watermark)),
    get: async (id) => (isId(id) ? connections.read((session) => readRecord(session, id)) : undefined),
    async page(kapsuleId, query) {
      const { fieldsToNote, ...page } = await connections.snapshot((session) =>
        readPage(session, kapsuleId, query, connections.hasTrigrams),
      );
      // The page does not wait for it; when it fails, the next page notes the fields.
      if (fieldsToNote.length > 0)
        connections
          .atomically(connections.granuleWrites, 'BEGIN', (session) =>
            noteFields(session, kapsuleId, fieldsToNote),
          )
          .catch(() => undefined);
      return page;
    },
    lookup: (kapsuleId, keys) => connections.snapshot((session) => readLookup(session, kapsuleId, keys)),
    kapsulesOf: (ids) => connections.read((session) => readKapsulesOf(session, ids.filter(isId))),
    history: async (id, before) =>
      isId(id) ? connections.read((session) => readHistory(session, id, before)) : [],
    changesPerDay: (kapsuleId, days) =>
      connections.read((session) => readChangesPerDay(session, kapsuleId, days)),
    stream: (kapsuleId, filter) => streamGranules(connections, kapsuleId, filter),
    onChange: (listener) => feed.listen(listener),
  };
}
