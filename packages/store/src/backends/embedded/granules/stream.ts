import type { Connection } from '../connection.ts';
import { CANDIDATES, candidatesOf } from './candidates.ts';
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
  const { table, kapsule, through, q } = selection;
  const candidates = q === '' ? undefined : candidatesOf(connection, selection, FEW + 1);
  const isReloaded = table === 'granules' ? `g.change <= c.reloadedThrough` : '0';
  const select = `SELECT ${lineOf(isReloaded)} FROM granule_counts c CROSS JOIN ${table} g`;
  const hit = q === '' ? '' : 'AND instr(g.search, ?4) > 0';
  const values = q === '' ? [] : [q];
  if (candidates && candidates.count <= FEW) {
    yield connection.each(
      `${select} WHERE c.kapsule = ?5 AND g.row IN (${CANDIDATES}) AND g.change > ?6 AND g.change <= ?7 ${hit}
       ORDER BY g.change`,
      ...candidates.values,
      q,
      kapsule,
      selection.after,
      through,
    );
    return;
  }
  const end = `SELECT change FROM ${table} WHERE kapsule = ? AND change > ? AND change <= ? ORDER BY change LIMIT 1 OFFSET ?`;
  for (let { after } = selection; after < through; ) {
    const last = connection.get(end, kapsule, after, through, SLICE - 1) as { change: number } | undefined;
    const upTo = last?.change ?? through;
    yield connection.each(
      `${select} WHERE c.kapsule = ?1 AND g.kapsule = ?1 AND g.change > ?2 AND g.change <= ?3 ${hit} ORDER BY g.change`,
      kapsule,
      after,
      upTo,
      ...values,
    );
    after = upTo;
  }
}
