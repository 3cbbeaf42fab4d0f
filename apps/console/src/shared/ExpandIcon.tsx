import type { TableProps } from 'antd';

type Render<Row> = NonNullable<NonNullable<TableProps<Row>['expandable']>['expandIcon']>;

/** The button that opens a row, as antd draws it, with a name that tells which row. */
export const expandIconFor =
  <Row,>(nameOf: (row: Row) => string): Render<Row> =>
  ({ prefixCls, record, expanded, expandable, onExpand }) => {
    const icon = `${prefixCls}-row-expand-icon`;
    if (!expandable) return <span className={`${icon} ${icon}-spaced`} />;
    return (
      <button
        type="button"
        className={`${icon} ${icon}-${expanded ? 'expanded' : 'collapsed'}`}
        aria-label={`${expanded ? 'Hide' : 'Show'} details of ${nameOf(record)}`}
        aria-expanded={expanded}
        onClick={(event) => {
          onExpand(record, event);
          event.stopPropagation();
        }}
      />
    );
  };
