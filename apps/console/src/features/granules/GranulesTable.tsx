import type { Granule } from '@kaptain/contract/granules';
import type { Kapsule } from '@kaptain/contract/kapsules';
import { useRef } from 'react';
import type { GranuleQuery, ShownGranules } from '../../api/granules.ts';
import { DataTable } from '../../shared/DataTable.tsx';
import type { TableLayout } from '../../shared/use-table.ts';
import { useWords } from '../../variants/use-variant.ts';
import { GranuleDetails } from './GranuleDetails.tsx';
import styles from './Granules.module.css';
import { type GranuleState, pageSizes } from './granule-state.ts';
import { hasData } from './has-data.ts';
import { MoreRows } from './MoreRows.tsx';
import type { Selection } from './use-selection.ts';

interface Props {
  kapsule: Kapsule;
  page: ShownGranules;
  query: GranuleQuery;
  table: TableLayout<Granule>;
  /** The id of the open row. */
  open: string;
  onOpen: (id: string) => void;
  isLoading: boolean;
  onEdit: ((granule: Granule) => void) | undefined;
  selection: Selection;
  onRefine: (values: Partial<GranuleState>) => void;
}

const detailsOf = (kapsule: Kapsule, hasHistory: boolean, onEdit: Props['onEdit']) => (row: Granule) => (
  <GranuleDetails kapsule={kapsule} granule={row} hasHistory={hasHistory} onEdit={onEdit} />
);

const moreRowsOf = (kapsule: Kapsule, page: ShownGranules, query: GranuleQuery) => () => (
  <MoreRows kapsule={kapsule} page={page} query={query} />
);

export function GranulesTable(props: Props) {
  const { kapsule, page, query, table, open, onOpen, isLoading, onEdit, selection, onRefine } = props;
  const { granule } = useWords();
  const container = useRef<HTMLDivElement>(null);
  const nameOf = ({ key, _id }: Granule) => key ?? _id;
  return (
    <div ref={container} className={styles['table']}>
      <DataTable
        label={granule.Many}
        rows={page.data}
        table={table}
        rowKey="_id"
        initialSort="-updatedAt"
        nameOf={nameOf}
        // The spinner appears only after a delay, so that short loads do not flicker.
        loading={{ spinning: isLoading, delay: 300 }}
        {...(page.next !== undefined && { footer: moreRowsOf(kapsule, page, query) })}
        sortDirections={['ascend', 'descend', 'ascend']}
        pagination={{
          current: query.page,
          pageSize: query.size,
          total: page.total,
          hideOnSinglePage: page.total <= 20,
          showSizeChanger: true,
          pageSizeOptions: pageSizes,
          showQuickJumper: page.total > 10 * query.size,
          size: 'small',
        }}
        onChange={({ current = 1, pageSize = 50 }, _filters, sorter, { action }) => {
          const { columnKey, order } = Array.isArray(sorter) ? (sorter[0] ?? {}) : sorter;
          if (action === 'sort') onRefine({ sort: `${order === 'descend' ? '-' : ''}${String(columnKey)}` });
          if (action !== 'paginate') return;
          onRefine({ page: String(current), size: String(pageSize) });
          container.current?.scrollIntoView({ block: 'start' });
        }}
        rowSelection={{
          preserveSelectedRowKeys: true,
          selectedRowKeys: selection.isAllMatching ? page.data.map(({ _id }) => _id) : [...selection.ids],
          onChange: (keys) => selection.select(keys.map(String)),
          getTitleCheckboxProps: () => ({ 'aria-label': 'Select all of this page' }),
          getCheckboxProps: (row) => ({ 'aria-label': `Select ${nameOf(row)}` }),
        }}
        expandable={{
          expandedRowKeys: open ? [open] : [],
          onExpand: (isOpen, { _id }) => onOpen(isOpen ? _id : ''),
          // Our own service also has a history to show.
          rowExpandable: (row) => !page.isPlain || hasData(row),
          expandedRowRender: detailsOf(kapsule, !page.isPlain, onEdit),
        }}
      />
    </div>
  );
}
