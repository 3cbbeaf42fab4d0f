import type { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { UnavailableError } from '../../../errors.ts';
import type { GranuleStreamQuery } from '../../../granules.ts';
import { BEGIN_SNAPSHOT, type Connections } from '../connections.ts';
import { Session } from '../session.ts';
import { STREAM_CHUNK_BYTES } from '../tuning.ts';
import { selectDeletions } from './deletions.ts';
import { foundByTrigrams, readIndexedThrough } from './found-rows.ts';
import { KEY } from './records.ts';
import { isForTrigrams, patternOf, type Selection, select, spanCondition } from './selection.ts';

const LINE_END = 0x0a;

const [USER, KEY_TEXT] = [`'"user":', to_json(g."user")`, `',"key":', to_json(${KEY})`];
const TIMES = `',"createdAt":"', g.created_at, '","updatedAt":"', g.updated_at`;
const reloadedOf = ({ isOfDeleted, reloadedThrough }: Selection) =>
  isOfDeleted
    ? `',"reloaded":false'`
    : `CASE WHEN g.change <= ${reloadedThrough} THEN ',"reloaded":true' ELSE ',"reloaded":false' END`;

/** The JSON is written by the database; data is JSON text already and stays untouched. One call joins faster than `||`. */
const lineOf = (selection: Selection, isTable: boolean) =>
  isTable
    ? `concat('{', ${USER}, ${KEY_TEXT}, ',"data":', g.data, ${TIMES}, '"}')`
    : `concat('{"_id":"', g.id, '",', ${USER}, ${KEY_TEXT}, ',"data":', g.data, ${reloadedOf(selection)}, ${TIMES},
         '","version":', g.version, '}')`;

/** A deleted granule; without _id in a table. */
function deletionLine(isTable: boolean): string {
  const start = isTable ? `'{"key":'` : `'{"_id":"', g.id, '","key":'`;
  return `concat(${start}, to_json(${KEY}), ',"deleted":true,"deletedAt":"', g.deleted_at, '"}')`;
}

/** COPY takes no values: numbers are ours, and the text that is searched travels as settings of the transaction. */
const TEXT = "current_setting('kaptain.q')";
const PATTERN = "current_setting('kaptain.pattern')";
const SET_TEXT = "SELECT set_config('kaptain.q', $1, true), set_config('kaptain.pattern', $2, true)";

/** JSON has neither of these two characters, nor a line end: each line comes as it is. */
const AS_IT_IS = "(FORMAT csv, DELIMITER E'\\x02', QUOTE E'\\x01')";

/** `indexedThrough`: the last change with trigrams, where they are used. */
function copyOf(
  selection: Selection,
  indexedThrough: number | undefined,
  { isTable = false, deletions = false }: GranuleStreamQuery,
): string {
  const { kapsule, q, conditions } = selection;
  const match = q === '' ? '' : `AND strpos(g.search, ${TEXT}) > 0`;
  const rows =
    indexedThrough === undefined
      ? `kapsule_data.granules g WHERE g.kapsule = ${kapsule} AND ${spanCondition(selection)} ${match}${conditions}`
      : `(${foundByTrigrams(selection, indexedThrough, 'g.*', PATTERN, TEXT)}) g`;
  const line = lineOf(selection, isTable);
  if (!deletions) return `COPY (SELECT ${line} FROM ${rows} ORDER BY g.change) TO STDOUT ${AS_IT_IS}`;
  // Each part is ordered, so that PostgreSQL merges them along their indexes instead of sorting all lines first.
  const parts = [
    `SELECT g.change AS number, ${line} AS line FROM ${rows} ORDER BY g.change`,
    `${selectDeletions(selection, deletionLine(isTable))} ORDER BY d.change`,
  ];
  const changes = parts.map((part) => `(${part})`).join(' UNION ALL ');
  return `COPY (SELECT line FROM (${changes}) changes ORDER BY number) TO STDOUT ${AS_IT_IS}`;
}

/** One consistent snapshot; it reads only as fast as it is consumed, and ends when its consumer does. */
export async function* streamGranules(
  connections: Connections,
  kapsuleId: string,
  filter: GranuleStreamQuery,
): AsyncGenerator<Uint8Array> {
  await connections.long.acquire();
  let client: Client | undefined;
  try {
    client = await connections.connectApart();
    const session = new Session(client, connections.name);
    await session.exec(BEGIN_SNAPSHOT);
    const selection = await select(session, kapsuleId, filter);
    if (!selection) return;
    const byTrigrams = connections.hasTrigrams && isForTrigrams(selection);
    const indexedThrough = byTrigrams ? await readIndexedThrough(session, selection.kapsule) : undefined;
    await session.all(SET_TEXT, selection.q, patternOf(selection.q));
    const since = Math.min(Math.trunc(filter.since ?? 0), Number.MAX_SAFE_INTEGER);
    const after = Math.max(selection.after, since);
    const lines = client.query(copyTo(copyOf({ ...selection, after }, indexedThrough, filter)));
    for await (const chunk of chunksOf(lines)) {
      yield chunk;
      if (connections.isClosed) throw new UnavailableError('The store is closed.');
    }
  } catch (error) {
    throw connections.translate(error);
  } finally {
    if (client) await connections.leaveApart(client);
    connections.long.release();
  }
}

/** Whole lines, some 64 kB at a time. */
async function* chunksOf(buffers: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  let held: Buffer[] = [];
  let bytes = 0;
  for await (const buffer of buffers) {
    held.push(buffer);
    bytes += buffer.length;
    if (bytes < STREAM_CHUNK_BYTES) continue;
    const all = Buffer.concat(held);
    const end = all.lastIndexOf(LINE_END) + 1;
    // Nothing of a chunk that is given away whole is kept: its consumer may transfer it to another thread.
    held = end < all.length ? [all.subarray(end)] : [];
    bytes = all.length - end;
    if (end > 0) yield all.subarray(0, end);
  }
  if (bytes > 0) yield Buffer.concat(held);
}
