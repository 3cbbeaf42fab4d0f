import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { lowerThreadPriority } from '../../background-thread.ts';
import { UnavailableError } from '../../errors.ts';
import { nounNames, nouns } from '../../nouns/all.ts';
import type { DocumentMethod } from '../shared/typed-documents.ts';
import type { Connection } from './connection.ts';
import { DocumentTable } from './documents.ts';
import { executeOnGranules, idleSteps } from './granules/commands.ts';
import { receiveRows } from './granules/import.ts';
import { setOwner } from './granules/lease.ts';
import { LATE, UNINDEXED_DOCUMENTS } from './late-indexes.ts';
import { type Command, type Request, toFailure } from './messages.ts';
import { save } from './save.ts';
import { saveTogether } from './save-group.ts';
import type { ThreadData } from './thread-data.ts';
import { BUSY_WRITER_MAINTENANCE_MS } from './tuning.ts';
import { readActiveSchema } from './upgrades/schema-state.ts';
import { setWaitingWrites } from './waiting-writes.ts';
import { openForWriting } from './writer-connection.ts';

// The one writer has a thread of its own, because waiting for fsync must never block the event loop.
const port = parentPort;
if (!port) throw new Error('The writer runs as a worker thread only.');

const READS = new Set<DocumentMethod>(['get', 'all', 'findBy', 'sizeBy', 'recent']);

const { file, owner = '', waiting, isBackground = false } = workerData as ThreadData;
setOwner(owner);
if (waiting) setWaitingWrites(waiting);
// Imports and indexing always have a backlog; threads that answer requests run first.
if (isBackground) lowerThreadPriority();

let opened: Connection | undefined;
let tables: Record<string, DocumentTable> = {};

function open(): Connection {
  if (!opened) {
    const connection = openForWriting(file, !isBackground);
    const { schema } = readActiveSchema(connection);
    tables = Object.fromEntries(
      nounNames.map((name) => [name, new DocumentTable(connection, nouns[name], schema)]),
    );
    opened = connection;
  }
  return opened;
}

port.on('message', (request: Request) => {
  for (let next: Request | undefined = request; next; ) next = answer(port, next);
});

/** Returns a message that it has taken from the port and not answered. */
function answer(to: MessagePort, request: Request): Request | undefined {
  const { call, command } = request;
  let next: Request | undefined;
  try {
    if (command.kind === 'save') {
      const connection = open();
      next = saveTogether(to, connection, { call, command }, (saved) => save(connection, tables, saved));
    } else to.postMessage({ call, value: obey(command) }, []);
  } catch (error) {
    to.postMessage({ call, failure: toFailure(error) }, []);
  }
  return next;
}

function obey(command: Exclude<Command, { kind: 'save' }>): unknown {
  if (command.kind === 'close') return close();
  const connection = open();
  switch (command.kind) {
    case 'ping':
      return connection.get('SELECT 1 FROM sqlite_schema LIMIT 1');
    case 'begin':
      return connection.exec('BEGIN IMMEDIATE');
    case 'commit':
      requireUnit(connection);
      return connection.exec('COMMIT');
    case 'rollback':
      return connection.inTransaction ? connection.exec('ROLLBACK') : undefined;
    case 'maintain':
      return maintain(connection, command.isIdle);
    case 'checkpoint':
      return connection.get('PRAGMA wal_checkpoint(PASSIVE)');
    case 'receive':
      return receiveRows(connection, command.importName, command.rows);
    case 'document':
      if (command.inUnit) requireUnit(connection);
      return READS.has(command.method)
        ? onDocument(command)
        : connection.atomically(() => onDocument(command));
    case 'granules':
      if (command.inUnit) requireUnit(connection);
      return connection.atomically(() => executeOnGranules(connection, command.method, command.args));
  }
}

let othersAt = 0;

/** Returns whether there may be more to do. */
function maintain(connection: Connection, isIdle: boolean): boolean {
  const areMany = connection.get(UNINDEXED_DOCUMENTS) !== undefined;
  const hasIndexed = areMany && connection.atomically(() => tables[LATE]?.indexMore() === true);
  if (!isIdle && performance.now() - othersAt < BUSY_WRITER_MAINTENANCE_MS) return true;
  othersAt = performance.now();
  return idleSteps.some((step) => connection.atomically(() => step(connection))) || hasIndexed;
}

function onDocument({ noun, method, args }: Extract<Command, { kind: 'document' }>): unknown {
  const table = tables[noun] as unknown as Record<string, (...args: unknown[]) => unknown> | undefined;
  return table?.[method]?.(...args);
}

/** After a full disk SQLite has ended the transaction by itself: going on would store half a unit. */
function requireUnit(connection: Connection): void {
  if (!connection.inTransaction)
    throw new UnavailableError('The unit of work was rolled back; try it again.');
}

function close(): void {
  try {
    opened?.close();
  } finally {
    opened = undefined;
  }
}
