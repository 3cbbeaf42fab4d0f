import { Table, type TableProps } from 'antd';
import { useEffect } from 'react';
import type { Column } from './column-layout.ts';
import styles from './DataTable.module.css';
import { expandIconFor } from './ExpandIcon.tsx';
import { PhoneTable } from './RowActions.tsx';
import { useCutTexts } from './use-cut-texts.tsx';
import { CONTROL_WIDTH, type TableLayout } from './use-table.ts';
import { useUrlState } from './use-url-state.ts';

export type { Column } from './column-layout.ts';

interface Props<Row> extends Omit<TableProps<Row>, 'columns' | 'dataSource' | 'title'> {
  label: string;
  rows: readonly Row[];
  table: TableLayout<Row>;
  /** The name of a row, for the button that opens it. */
  nameOf?: (row: Row) => string;
  /** `name` or `-name`: the order when the URL says none. */
  initialSort?: string;
}

const orders = { ascend: '', descend: '-' } as const;
const initial = { page: '1', size: '50' };
const HEADER_OF_PAGE = 56;

/** A table whose rows are all loaded. The URL keeps sort order and page. */
export function DataTable<Row extends object>({
  label,
  rows,
  table,
  initialSort = '',
  rowSelection,
  expandable,
  nameOf,
  ...rest
}: Props<Row>) {
  const [{ sort }, setSort] = useUrlState({ sort: initialSort });
  const [{ page, size }, setPage] = useUrlState(initial);
  const { columns, widths, needed, fit, isPhone, frame, setFrame } = table;
  const cutTexts = useCutTexts(frame);
  const sortKey = sort.replace(/^-/, '');

  // Columns are fixed only where the table scrolls sideways, and on a phone only the actions: others would leave no room.
  const sideOf = (side: Column<Row>['fixed']) =>
    side !== undefined && (fit === 'narrow' || (fit === 'phone' && side === 'right'))
      ? { fixed: side }
      : { fixed: false };

  // The keyboard scrolls the table while its body has the focus; antd lets it have none.
  useEffect(() => {
    if (fit !== 'wide') frame?.querySelector('.ant-table-body')?.setAttribute('tabindex', '0');
  }, [frame, fit]);

  return (
    <div ref={setFrame} className={styles['frame']} data-fit={fit} {...cutTexts.handlers}>
      <PhoneTable value={isPhone}>
        <Table<Row>
          className={styles['table'] ?? ''}
          size="middle"
          aria-label={label}
          tableLayout="fixed"
          dataSource={rows}
          showSorterTooltip={false}
          columns={columns.map((column) => ({
            ...column,
            ...sideOf(column.fixed),
            className: `${styles['cell']} ${column.className ?? ''}`,
            // Hidden instead of left out: the rows may be sorted by it.
            hidden: !widths.has(column.key),
            width: widths.get(column.key) ?? column.width,
            sortOrder: column.key === sortKey ? (sort.startsWith('-') ? 'descend' : 'ascend') : null,
          }))}
          {...(rowSelection && {
            rowSelection: { columnWidth: CONTROL_WIDTH, ...rowSelection, fixed: fit === 'narrow' },
          })}
          {...(expandable && {
            expandable: {
              columnWidth: CONTROL_WIDTH,
              ...(nameOf && { expandIcon: expandIconFor(nameOf) }),
              ...expandable,
              fixed: fit === 'narrow' && 'left',
            },
          })}
          // In a table that scrolls sideways, CSS alone would stick the header to the table instead of the window.
          {...(fit !== 'wide' && { scroll: { x: needed }, sticky: { offsetHeader: HEADER_OF_PAGE } })}
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
      </PhoneTable>
      {cutTexts.tooltip}
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
