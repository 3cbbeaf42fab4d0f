import type { Connection } from '../connection.ts';
import {
  STREAM_CHUNK_BYTES,
  STREAM_FETCHED_ROWS,
  STREAM_FIRST_SLICE_ROWS,
  STREAM_SLICE_ROWS,
} from '../tuning.ts';
import { type Candidates, candidatesOf } from './candidates.ts';
import { deletionLine, unnumberedLines } from './deletions.ts';
import type { StreamFilter } from './reads.ts';
import { type Selection, select } from './selection.ts';
import { beginWhenReplaced } from './until-replaced.ts';

/** The approximate size of a line without its data. */
const BESIDE_DATA = 256;
const NOTHING = new Uint8Array();

/** Data is JSON text already and stays untouched; the other texts are quoted by SQLite. One concat() copies the texts once. */
const lineOf = (isReloaded: string) => `
  concat('{"_id":"', g.id, '","user":', json_quote(g.user), ',"key":', json_quote(g.key), ',"data":', g.data,
    ',"reloaded":', iif(${isReloaded}, 'true', 'false'), ',"createdAt":"', g.createdAt, '","updatedAt":"', g.updatedAt,
    '","version":', g.version, '}', char(10))`;

/** Of a table, which has no columns for the rest: shorter lines are read and scanned faster. */
const TABLE_LINE = `
  concat('{"user":', json_quote(g.user), ',"key":', json_quote(g.key), ',"data":', g.data, ',"createdAt":"', g.createdAt,
    '","updatedAt":"', g.updatedAt, '"}', char(10))`;

/** A buffer of its own, so that it can be transferred to another thread. */
type Chunk = Uint8Array<ArrayBuffer>;

/** The granules of one snapshot, chunk by chunk; the snapshot is held until the end. */
export class GranuleStream {
  readonly #connection: Connection;
  readonly #kapsuleId: string;
  readonly #chunks: Generator<Chunk>;

  constructor(connection: Connection, kapsuleId: string, filter: StreamFilter) {
    this.#connection = connection;
    this.#kapsuleId = kapsuleId;
    this.#chunks = chunksOf(connection, kapsuleId, filter);
  }

  /** Takes the snapshot; before the first chunk. */
  begin(): Promise<void> {
    return beginWhenReplaced(this.#connection, this.#kapsuleId);
  }

  /** Returns undefined at the end, and an empty chunk when there is no chunk yet and other streams should run. */
  next(): Chunk | undefined {
    const { value, done } = this.#chunks.next();
    return done ? undefined : value;
  }

  end(): void {
    this.#connection.close();
  }
}

function* chunksOf(connection: Connection, kapsuleId: string, filter: StreamFilter): Generator<Chunk> {
  const whole = select(connection, kapsuleId, filter);
  if (!whole) return;
  const selection = { ...whole, after: Math.max(whole.after, filter.since ?? 0) };
  const candidates =
    selection.q === '' ? undefined : candidatesOf(connection, selection, STREAM_FETCHED_ROWS);
  const line = filter.isTable ? TABLE_LINE : LINE[selection.table];
  const deletion = filter.deletions ? deletionLine(filter.isTable === true) : undefined;
  if (deletion)
    for (const lines of unnumberedLines(connection, selection.kapsule, deletion))
      yield new TextEncoder().encode(lines);
  if (candidates?.areFew) yield* hitsAmong(connection, selection, candidates, line);
  else yield* allSlices(connection, selection, line, deletion);
}

const LINE = {
  granules: lineOf('g.change <= c.reloadedThrough'),
  granules_deleted: lineOf('0'),
} as const;

function* hitsAmong(
  connection: Connection,
  { kapsule, after, through, q, matches }: Selection,
  candidates: Candidates,
  lineSql: string,
): Generator<Chunk> {
  // Sorts only the row numbers: complete lines would fill the memory, and then a temporary file.
  const hits = connection.all<{ row: number }>(
    `WITH candidates AS MATERIALIZED (${candidates.sql})
     SELECT g.row FROM candidates CROSS JOIN granules g ON g.row = candidates.row
     WHERE g.change > ? AND g.change <= ? AND instr(g.search, ?) > 0 ${matches} ORDER BY g.change`,
    ...candidates.values,
    after,
    through,
    q,
  );
  const line = `SELECT ${lineSql} AS line FROM granules g JOIN granule_counts c ON c.kapsule = ? WHERE g.row = ?`;
  let chunk = '';
  for (const { row } of hits) {
    chunk += (connection.get(line, kapsule, row) as { line: string }).line;
    if (chunk.length < STREAM_CHUNK_BYTES) continue;
    yield new TextEncoder().encode(chunk);
    chunk = '';
  }
  yield new TextEncoder().encode(chunk);
}

/**
 * In order of change. SQLite joins the lines of a slice into bytes, which costs a third of reading each as text; so it
 * must be known before how large they are.
 */
function* allSlices(
  connection: Connection,
  { table, kapsule, after, through, q, matches }: Selection,
  line: string,
  deletion: string | undefined,
): Generator<Chunk> {
  const orDeleted = (columns: string) =>
    deletion === undefined
      ? ''
      : `UNION ALL SELECT ${columns} FROM granules_deleted g WHERE g.kapsule = ?1 AND g.deletion > ?2 AND g.deletion <= ?3`;
  const sliceAfter = `
    SELECT max(number) AS upTo, sum(size + ${BESIDE_DATA}) AS bytes FROM (
      SELECT change AS number, octet_length(data) AS size FROM ${table} WHERE kapsule = ?1 AND change > ?2 AND change <= ?3
      ${orDeleted('g.deletion, 0')} ORDER BY number LIMIT ?4
    )`;
  // An ordered subquery keeps its order below group_concat, which needs no sorting of its own then.
  const joined = `
    SELECT CAST(group_concat(line, '') AS BLOB) AS lines FROM (
      SELECT ${line} AS line, g.change AS number FROM granule_counts c CROSS JOIN ${table} g ON g.kapsule = c.kapsule
      WHERE c.kapsule = ?1 AND g.change > ?2 AND g.change <= ?3 ${q === '' ? '' : 'AND instr(g.search, ?4) > 0'} ${matches}
      ${orDeleted(`${deletion}, g.deletion`)} ORDER BY number
    )`;
  let rows = STREAM_FIRST_SLICE_ROWS;
  for (let seen = after; seen < through; ) {
    const slice = connection.get(sliceAfter, kapsule, seen, through, rows) as Slice;
    if (slice.upTo === null) return;
    if (slice.bytes > STREAM_CHUNK_BYTES && rows > 1) {
      rows = Math.max(1, Math.floor((0.75 * rows * STREAM_CHUNK_BYTES) / slice.bytes));
      continue;
    }
    const { lines } = connection.get(joined, kapsule, seen, slice.upTo, ...(q === '' ? [] : [q])) as {
      lines: Chunk | null;
    };
    yield lines ?? NOTHING;
    seen = slice.upTo;
    if (slice.bytes < STREAM_CHUNK_BYTES / 2) rows = Math.min(STREAM_SLICE_ROWS, rows * 2);
  }
}

interface Slice {
  /** null when no row is left. */
  upTo: number | null;
  bytes: number;
}
