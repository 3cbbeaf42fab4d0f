import { parentPort } from 'node:worker_threads';
import { lowerThreadPriority } from '../../background-thread.ts';
import { UnavailableError } from '../../errors.ts';
import { nounNames, nouns } from '../../nouns/all.ts';
import type { DocumentMethod } from '../shared/typed-documents.ts';
import type { Connection } from './connection.ts';
import { DocumentTable } from './documents.ts';
import { executeOnGranules, idleSteps } from './granules/commands.ts';
import { IdleWork } from './idle-work.ts';
import { type Command, type Request, toFailure } from './messages.ts';
import { openForWriting } from './writer-connection.ts';

// The one writer has a thread of its own, because waiting for fsync must never block the event loop.
const port = parentPort;
if (!port) throw new Error('The writer runs as a worker thread only.');

// During imports and indexing the writer always has a backlog; threads that answer requests run first.
lowerThreadPriority();

const READS = new Set<DocumentMethod>(['get', 'all', 'findBy', 'recent']);

let file = '';
let opened: Connection | undefined;
let idleWork: IdleWork | undefined;
let tables: Record<string, DocumentTable> = {};

function open(): Connection {
  if (!opened) {
    const connection = openForWriting(file);
    tables = Object.fromEntries(nounNames.map((name) => [name, new DocumentTable(connection, nouns[name])]));
    idleWork = new IdleWork(connection, idleSteps);
    opened = connection;
  }
  return opened;
}

port.on('message', ({ call, command }: Request) => {
  try {
    port.postMessage({ call, value: execute(command) }, []);
  } catch (error) {
    port.postMessage({ call, failure: toFailure(error) }, []);
  }
  if (command.kind !== 'close') idleWork?.afterCommand();
});

function execute(command: Command): unknown {
  if (command.kind === 'use') {
    file = command.file;
    return undefined;
  }
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
  idleWork?.stop();
  idleWork = undefined;
  try {
    opened?.close();
  } finally {
    opened = undefined;
  }
}
