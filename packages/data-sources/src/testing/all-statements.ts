import type { Dialect } from '../dialect.ts';
import { HistoryStatements } from '../history-statements.ts';
import type { Shape } from '../shape.ts';
import { shapeOf } from '../shape.ts';
import { Statements } from '../statements.ts';
import { type Statement, TableStatements } from '../table-statements.ts';

/** User input, in every position of a statement that takes some. */
interface Inputs {
  key: string;
  id: string;
  user: string;
  text: string;
  q: string;
}

const catalogTypes: Record<
  Dialect['type'],
  [text: string, number: string, boolean: string, date: string, timestamp: string]
> = {
  mssql: ['nvarchar', 'float', 'bit', 'date', 'datetime2'],
  oracle: ['VARCHAR2', 'NUMBER', 'NUMBER', 'DATE', 'TIMESTAMP(3)'],
  mysql: ['longtext', 'double', 'tinyint(1)', 'date', 'datetime(3)'],
  postgresql: ['text', 'double precision', 'boolean', 'date', 'timestamp with time zone'],
  snowflake: ['TEXT', 'FLOAT', 'BOOLEAN', 'DATE', 'TIMESTAMP_NTZ'],
};

function sampleShape(dialect: Dialect): Shape {
  const [text, number, boolean, date, timestamp] = catalogTypes[dialect.type];
  const column = (name: string, type: string) => ({
    name,
    type,
    isReadOnly: false,
    collation:
      type === text && dialect.type === 'mysql'
        ? 'utf8mb4_bin'
        : type === text && dialect.type === 'mssql'
          ? 'Latin1_General_100_BIN2'
          : null,
    charset: type === text && dialect.type === 'mysql' ? 'utf8mb4' : null,
  });
  return shapeOf(
    dialect,
    'comments',
    {
      table: 'comments',
      keyField: 'OrderId',
      fields: [
        { name: 'Comment', type: 'text' },
        { name: 'Amount', type: 'number' },
        { name: 'Done', type: 'boolean' },
        { name: 'Due', type: 'date' },
        { name: 'Seen', type: 'timestamp' },
        { name: 'Tags', type: 'list' },
      ],
    },
    [
      column('OrderId', text),
      column('Comment', text),
      column('Amount', number),
      column('Done', boolean),
      column('Due', date),
      column('Seen', timestamp),
      column('Tags', text),
    ],
  );
}

/** Every statement that this package sends, by name. */
export function allStatements(
  dialect: Dialect,
  { key, id, user, text, q }: Inputs,
): Record<string, Statement> {
  const tables = new TableStatements(dialect);
  const rows = new Statements(dialect);
  const history = new HistoryStatements(dialect);
  const shape = sampleShape(dialect);
  const control = { lastChange: 9, reloadedThrough: 5 };
  const plain = (sql: string): Statement => ({ sql, values: [] });
  const now = '2026-01-31T10:00:00.000Z';
  const own = [id, user, 1, 9, now, now, null, null];
  const fields = [text, 1.5, 1, '2026-01-31', '2026-01-31T10:00:00.000', '["a"]'];
  const query = { q, sort: 'key', descending: false, offset: 20, limit: 10 } as const;
  const where = [
    { field: 'Comment', type: 'text', is: 'contains', text: q },
    { field: 'Amount', type: 'number', is: 'between', from: -1.5, to: 7 },
    { field: 'Due', type: 'date', is: 'between', from: '2026-01-31' },
    // Texts that hold days, in a column of long texts.
    { field: 'Comment', type: 'date', is: 'between', from: '2026-01-31' },
    { field: 'Seen', type: 'timestamp', is: 'between', to: '2026-01-31T10:00:00' },
    { field: 'Done', type: 'boolean', is: 'contains', text: q },
    { field: 'Comment', type: 'text', is: 'empty' },
    { field: 'Tags', type: 'list', is: 'filled' },
  ] as const;
  const byComment = { ...query, where, sortField: { name: 'Comment', type: 'text' } } as const;
  const [controlTable, historyTable] = tables.createOwnTables();
  return {
    'create the control table': plain(controlTable?.[1] ?? ''),
    'create the history table': plain(historyTable?.[1] ?? ''),
    'create a table': plain(
      tables.createTable('comments', 'OrderId', [
        { name: 'Comment', storage: 'text' },
        { name: 'Amount', storage: 'number' },
        { name: 'Done', storage: 'boolean' },
        { name: 'Due', storage: 'date' },
        { name: 'Seen', storage: 'timestamp' },
        { name: 'Tags', storage: 'text' },
      ]),
    ),
    'add a column': plain(tables.addColumn('comments', 'Extra', 'text')),
    ...(dialect.uniqueQuery !== undefined && {
      'create an index': plain(tables.createIndex('comments', 'k_1', 'k_id', true)),
    }),
    'record who made a table': tables.addControl('comments', true),
    'correct who made a table': tables.setMadeByUs('comments', false),
    'count unusable keys': plain(tables.countUnusableKeys('comments', 'OrderId')),
    'lock the table': tables.nextChange('comments'),
    'read the control row': tables.control('comments'),
    'adopt rows of other programs': rows.adopt(shape, 9, now),
    'find by keys': rows.findByKeys(shape, [key]),
    'find how long rows are by keys': rows.findHeadsByKeys(shape, [key]),
    'find by ids': rows.findByIds(shape, [id]),
    'insert rows': rows.insert('comments', rows.insertColumns(shape), [[key, ...own, ...fields]]),
    'update rows': rows.update('comments', rows.updateColumns(shape, [...shape.written.keys()]), [
      [...own, ...fields],
    ]),
    'delete rows': rows.update('comments', rows.ownColumns('k_change', 'k_deleted_at', 'k_deleted_by'), [
      [id, 9, now, user],
    ]),
    'add to the history': rows.insert('kaptain_history', rows.historyColumns(), [
      ['comments', id, 1, now, null, null, null, user, JSON.stringify({ text })],
    ]),
    'find how long a row is': rows.findHead(shape, id),
    'read a page': rows.pageHeads(shape, query, control),
    'read a page that is filtered and sorted by fields': rows.pageHeads(shape, byComment, control),
    'read a page in descending order of a number': rows.pageHeads(
      shape,
      { ...query, descending: true, sortField: { name: 'Amount', type: 'number' } },
      control,
    ),
    'count reloaded': rows.count(shape, { reloaded: true }, control),
    'count deleted': rows.count(shape, { deleted: true, q }, control),
    'stream since a watermark': rows.stream(shape, { since: 3 }, control),
    'stream since a watermark with deletions': rows.stream(shape, { since: 3, deletions: true }, control),
    'count deleted since a watermark': rows.count(shape, { deleted: true, since: 3 }, control),
    'read how long the history is': history.heads('comments', id, 7),
    'read the history': history.data('comments', id, 3, 7),
    'count changes per day': rows.changesPerDay('comments', '2026-01-01'),
    'mark as reloaded': tables.setReloaded('comments', 9),
    'drop a table': plain(tables.drop('comments')),
  };
}
