import type { Connection } from '../connection.ts';
import { type Candidates, candidatesOf } from './candidates.ts';
import type { StreamFilter } from './reads.ts';
import { type Selection, select } from './selection.ts';

const CHUNK_CHARACTERS = 128 * 1024;
/** Rows looked at before others get their turn. */
const SLICE = 2_000;
/** Up to here a search fetches its candidates; with more it looks at every row. */
const FEW = 20_000;

/** Data is JSON text already and stays untouched; the other texts are quoted by SQLite. */
const lineOf = (isReloaded: string) => `
  '{"_id":"' || g.id || '","user":' || json_quote(g.user) || ',"key":' || json_quote(g.key) || ',"data":' || g.data ||
  ',"reloaded":' || iif(${isReloaded}, 'true', 'false') || ',"createdAt":"' || g.createdAt ||
  '","updatedAt":"' || g.updatedAt || '","version":' || g.version || '}' || char(10)`;

/** The granules of one snapshot, chunk by chunk; the snapshot is held until the end. */
export class GranuleStream {
  readonly #connection: Connection;
  readonly #chunks: Generator<string>;

  constructor(connection: Connection, kapsuleId: string, filter: StreamFilter) {
    this.#connection = connection;
    this.#chunks = chunksOf(connection, kapsuleId, filter);
  }

  /** undefined at the end; '' when there is nothing to hand out yet and others should have their turn. */
  next(): string | undefined {
    const { value, done } = this.#chunks.next();
    return done ? undefined : value;
  }

  end(): void {
    this.#connection.close();
  }
}

function* chunksOf(connection: Connection, kapsuleId: string, filter: StreamFilter): Generator<string> {
  connection.exec('BEGIN');
  const selection = select(connection, kapsuleId, filter);
  if (!selection) return;
  let chunk = '';
  for (const lines of slicesOf(connection, {
    ...selection,
    after: Math.max(selection.after, filter.since ?? 0),
  })) {
    for (const [line] of lines) {
      chunk += line as string;
      if (chunk.length < CHUNK_CHARACTERS) continue;
      yield chunk;
      chunk = '';
    }
    if (selection.q !== '') yield '';
  }
  if (chunk !== '') yield chunk;
}

/** The lines of slice after slice, in order of change. */
function* slicesOf(connection: Connection, selection: Selection): Generator<Iterable<unknown[]>> {
  const candidates = selection.q === '' ? undefined : candidatesOf(connection, selection, FEW);
  if (candidates?.areFew) yield hitsAmong(connection, selection, candidates);
  else yield* allSlices(connection, selection);
}

const SELECT_LINES = {
  granules: `SELECT ${lineOf('g.change <= c.reloadedThrough')}`,
  granules_deleted: `SELECT ${lineOf('0')}`,
} as const;

function hitsAmong(
  connection: Connection,
  { kapsule, after, through, q }: Selection,
  candidates: Candidates,
): Iterable<unknown[]> {
  return connection.each(
    `WITH candidates AS MATERIALIZED (${candidates.sql})
     ${SELECT_LINES.granules}
     FROM granule_counts c CROSS JOIN candidates CROSS JOIN granules g ON g.row = candidates.row
     WHERE c.kapsule = ? AND g.change > ? AND g.change <= ? AND instr(g.search, ?) > 0 ORDER BY g.change`,
    ...candidates.values,
    kapsule,
    after,
    through,
    q,
  );
}

function* allSlices(
  connection: Connection,
  { table, kapsule, after, through, q }: Selection,
): Generator<Iterable<unknown[]>> {
  const end = `
    SELECT change FROM ${table} WHERE kapsule = ? AND change > ? AND change <= ? ORDER BY change LIMIT 1 OFFSET ?`;
  const lines = `
    ${SELECT_LINES[table]} FROM granule_counts c CROSS JOIN ${table} g ON g.kapsule = c.kapsule
    WHERE c.kapsule = ?1 AND g.change > ?2 AND g.change <= ?3 ${q === '' ? '' : 'AND instr(g.search, ?4) > 0'}
    ORDER BY g.change`;
  for (let seen = after; seen < through; ) {
    const last = connection.get(end, kapsule, seen, through, SLICE - 1) as { change: number } | undefined;
    const upTo = last?.change ?? through;
    yield connection.each(lines, kapsule, seen, upTo, ...(q === '' ? [] : [q]));
    seen = upTo;
  }
}
