import { foldText } from '../../../folding.ts';
import type { GranulePageQuery } from '../../../granules.ts';
import type { Connection } from '../connection.ts';
import { findCounter } from './counters.ts';
import { columnsOf, type TextRecord } from './records.ts';

export interface TextPage {
  rows: TextRecord[];
  total: number;
  totalIsExact: boolean;
}

const ORDER = { key: 'g.key', user: 'g.user', createdAt: 'g.createdAt', updatedAt: 'g.change' } as const;

export function readPage(connection: Connection, kapsuleId: string, query: GranulePageQuery): TextPage {
  const counter = findCounter(connection, kapsuleId);
  if (!counter) return { rows: [], total: 0, totalIsExact: true };
  const { q, reloaded, deleted = false, sort, descending, offset, limit } = query;
  const table = deleted ? 'granules_deleted' : 'granules';
  const isReloaded = deleted ? '0' : 'g.change <= c.reloadedThrough';
  const values: (string | number)[] = [kapsuleId];
  let where = 'c.kapsuleId = ? AND g.change <= c.lastChange';
  if (reloaded !== undefined) where += ` AND (${isReloaded}) = ${reloaded ? 1 : 0}`;
  if (q) {
    where += ' AND instr(g.search, ?) > 0';
    values.push(foldText(q));
  }
  const from = `FROM granule_counts c JOIN ${table} g ON g.kapsule = c.kapsule WHERE ${where}`;
  const order = sort === 'reloaded' ? isReloaded : ORDER[sort];
  const direction = descending ? 'DESC' : 'ASC';
  const rows = connection.all<TextRecord>(
    `SELECT ${columnsOf[table]} ${from} ORDER BY ${order} ${direction}, g.row ${direction} LIMIT ? OFFSET ?`,
    ...values,
    limit,
    offset,
  );
  const { total } = connection.get(`SELECT count(*) AS total ${from}`, ...values) as { total: number };
  return { rows: rows.map((row) => ({ ...row })), total, totalIsExact: true };
}

export function* streamLines(
  connection: Connection,
  kapsuleId: string,
  {
    q,
    reloaded,
    deleted = false,
    since = 0,
  }: { q?: string; reloaded?: boolean; deleted?: boolean; since?: number },
): Generator<string> {
  const counter = findCounter(connection, kapsuleId);
  if (!counter) return;
  const table = deleted ? 'granules_deleted' : 'granules';
  const rows = connection.all<TextRecord>(
    `SELECT ${columnsOf[table]}, g.search FROM granule_counts c JOIN ${table} g ON g.kapsule = c.kapsule
     WHERE c.kapsuleId = ? AND g.change > ? AND g.change <= c.lastChange ORDER BY g.change`,
    kapsuleId,
    since,
  );
  for (const row of rows) {
    if (reloaded !== undefined && (row.reloaded === 1) !== reloaded) continue;
    if (q && !(row as TextRecord & { search: string }).search.includes(foldText(q))) continue;
    const { id, user, key, data, createdAt, updatedAt, version } = row;
    yield `{"_id":"${id}","user":${JSON.stringify(user)},"key":${JSON.stringify(key)},"data":${data},"reloaded":${row.reloaded === 1},"createdAt":"${createdAt}","updatedAt":"${updatedAt}","version":${version}}\n`;
  }
}
