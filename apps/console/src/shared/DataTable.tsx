import { Table, type TableProps } from 'antd';
import type { ColumnType } from 'antd/es/table';
import { useRef } from 'react';
import styles from './DataTable.module.css';
import { useRoom } from './use-room.ts';
import { useUrlState } from './use-url-state.ts';

/** A column; its `key` is the `sort` parameter of the URL. */
export type Column<Row> = ColumnType<Row> & { key: string };

interface Props<Row> extends Omit<TableProps<Row>, 'columns' | 'dataSource' | 'title'> {
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  /** `name` or `-name`: the order when the URL says none. */
  initialSort?: string;
}

const orders = { ascend: '', descend: '-' } as const;
const initial = { page: '1', size: '50' };

/** A table whose rows are all loaded. The URL keeps sort order and page. */
export function DataTable<Row extends object>({
  label,
  rows,
  columns,
  initialSort = '',
  rowSelection,
  expandable,
  ...rest
}: Props<Row>) {
  const [{ sort }, setSort] = useUrlState({ sort: initialSort });
  const [{ page, size }, setPage] = useUrlState(initial);
  const frame = useRef<HTMLDivElement>(null);
  const room = useRoom(frame);
  const sortKey = sort.replace(/^-/, '');

  // Columns are fixed only where the table scrolls sideways, and never on a phone: they would leave no room for the others.
  const fixed = <C extends { fixed?: ColumnType<Row>['fixed'] }>({ fixed: side, ...column }: C) =>
    room === 'narrow' && side !== undefined ? { ...column, fixed: side } : column;

  return (
    <div ref={frame} className={styles['frame']} data-room={room}>
      <Table<Row>
        className={styles['table'] ?? ''}
        size="middle"
        aria-label={label}
        dataSource={rows}
        showSorterTooltip={false}
        columns={columns.map((column) => ({
          ...fixed(column),
          sortOrder: column.key === sortKey ? (sort.startsWith('-') ? 'descend' : 'ascend') : null,
        }))}
        {...(rowSelection && { rowSelection: fixed(rowSelection) })}
        // Fixed columns make the table a scroll container, in which the header would stick too low.
        {...(expandable && { expandable: room === 'wide' ? { ...expandable, fixed: false } : expandable })}
        {...(room !== 'wide' && { scroll: { x: 'max-content' } })}
        pagination={{
          current: Number(page) || 1,
          pageSize: Number(size) || 50,
          hideOnSinglePage: rows.length <= 20,
          showSizeChanger: true,
          pageSizeOptions: [20, 50, 100],
          size: 'small',
        }}
        onChange={({ current = 1, pageSize = 50 }, _filters, sorter, { action }) => {
          const { columnKey, order } = Array.isArray(sorter) ? (sorter[0] ?? {}) : sorter;
          if (action === 'sort')
            setSort({ sort: order && columnKey ? `${orders[order]}${String(columnKey)}` : '' });
          if (action === 'paginate') setPage({ page: String(current), size: String(pageSize) });
        }}
        {...rest}
      />
    </div>
  );
}

/** Orders texts as people do: case and accents aside, numbers by their value. */
const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
export const byText =
  <Row,>(of: (row: Row) => string | null | undefined) =>
  (a: Row, b: Row): number =>
    collator.compare(of(a) ?? '', of(b) ?? '');
export const byNumber =
  <Row,>(of: (row: Row) => number | null | undefined) =>
  (a: Row, b: Row): number =>
    (of(a) ?? 0) - (of(b) ?? 0);
