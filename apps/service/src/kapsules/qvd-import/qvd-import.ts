import { isDeepStrictEqual } from 'node:util';
import { type api, mayNameAuthors, type Sent } from '@kaptain/contract';
import { type KapsuleRecord, type Nouns, PackedRows } from '@kaptain/store';
import { audit } from '../../base/audit/audit.ts';
import type { Call } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import type { Handler } from '../../http/server/handlers.ts';
import { presentCaller } from '../../identity/sessions/present-caller.ts';
import type { Databases } from '../data-sources/data-sources.ts';
import { granulesOf, longWorkLimitOf } from '../granules/granules-of.ts';
import { importable, targetOf } from '../kapsules/kapsule-access.ts';
import { threadFieldsOf } from '../threads/stored-threads.ts';
import type { Task } from './messages.ts';
import { QvdReading } from './qvd-reading.ts';
import { rowsWithThreads } from './rows-with-threads.ts';

interface Deps extends Databases {
  clock: () => number;
  granuleBytes: number;
}

type Structure = Pick<KapsuleRecord, 'keyField' | 'table' | 'fields'>;

const structureOf = ({ keyField, table, fields }: Structure): Structure => ({ keyField, table, fields });

/** Rows that were read for one structure are not stored into another. */
function requireSameStructure(present: KapsuleRecord, read: KapsuleRecord): void {
  if (isDeepStrictEqual(structureOf(present), structureOf(read))) return;
  throw new AppError(
    'CONFLICT',
    `The structure of ${present.name} was replaced while the files were imported. Nothing was stored: please import them again.`,
  );
}

const hasThreads = (kapsule: KapsuleRecord): boolean => threadFieldsOf(kapsule).length > 0;

const tooMany =
  'Too many imports and downloads of this server at the same time. Nothing was stored: please import again when the others have finished.';

export function qvdImport(deps: Deps): Handler<typeof api.granules.importQvd> {
  const { store, dataSources, clock, granuleBytes } = deps;

  async function storeAll(
    kapsule: KapsuleRecord,
    reading: QvdReading,
    call: Call<'loggedIn'>,
  ): Promise<void> {
    const write = async (nouns: Nouns, stored: number) => {
      const present = await presentCaller(nouns, call.caller);
      requireSameStructure((await importable(nouns, kapsule.id, present)).kapsule, kapsule);
      // The rows already have the authors of the file, so a caller who is no longer an ADMIN stores nothing.
      if (mayNameAuthors(call.caller.role) && !mayNameAuthors(present.role)) throw new AppError('FORBIDDEN');
      const files = reading.files.map(({ file, rows }) => `${file}: ${rows}`);
      const after = { count: stored, files };
      await audit(nouns, call, clock(), { action: 'granule.import', target: targetOf(kapsule), after });
    };
    const granules = granulesOf(deps, kapsule);
    const release = (await longWorkLimitOf(dataSources, kapsule))?.acquire(call.caller.userId, tooMany);
    try {
      const rows = new PackedRows(reading.batches());
      await granules.importAll(
        kapsule.id,
        hasThreads(kapsule) ? rowsWithThreads(granules, kapsule, rows) : rows,
        write,
      );
    } finally {
      release?.();
    }
  }

  /** The same answer for a deletion at any time during the import. */
  async function unlessDeleted<T>(kapsule: KapsuleRecord, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const present = await store.kapsules.get(kapsule.id).catch(() => kapsule);
      if (present && present.state === kapsule.state) throw error;
      throw new AppError(
        'CONFLICT',
        `${kapsule.name} was deleted while the files were imported. Nothing was stored.`,
      );
    }
  }

  async function run(id: string, files: Task['files'], isDryRun: boolean, call: Call<'loggedIn'>) {
    // Read again, because an upload may take hours and the structure may have changed.
    const { kapsule } = await importable(store, id, call.caller);
    const user = await store.users.get(call.caller.userId);
    const author = user?.qlikId || call.caller.username;
    const { role } = call.caller;
    const task = { files, structure: structureOf(kapsule), role, author, isDryRun, granuleBytes };
    const reading = new QvdReading(task, call.gone());
    if (isDryRun) for await (const _ of reading.batches());
    else await storeAll(kapsule, reading, call);
    return { rows: reading.files.reduce((sum, { rows }) => sum + rows, 0), files: reading.files };
  }

  return async ({ query, receiveFiles }, call): Promise<Sent<typeof api.granules.importQvd>> => {
    const { kapsule } = await importable(store, query.kapsuleId, call.caller);
    granulesOf(deps, kapsule);
    const files = (await receiveFiles()).map(({ name, path, bytes }) => ({ name, path, bytes }));
    return unlessDeleted(kapsule, () => run(kapsule.id, files, query.dryRun === true, call));
  };
}
