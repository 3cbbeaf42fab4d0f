import { SettingOutlined } from '@ant-design/icons';
import { Checkbox } from 'antd';
import { ButtonPopover } from './ButtonPopover.tsx';
import styles from './Toolbar.module.css';
import type { TableLayout } from './use-table.ts';

/** Chooses the columns of a table. A column that was left out for want of room is shown when it is ticked. */
export function ColumnChooser<Row>({ table }: { table: TableLayout<Row> }) {
  const { columns, widths, choose } = table;
  const boxes = (
    <div className={styles['columns']}>
      {columns
        .filter(({ isFixed }) => !isFixed)
        .map(({ key, title }) => (
          <Checkbox
            key={key}
            checked={widths.has(key)}
            onChange={({ target }) => choose(key, target.checked)}
          >
            {typeof title === 'string' ? title : key}
          </Checkbox>
        ))}
    </div>
  );
  return (
    <ButtonPopover
      title="Columns"
      content={boxes}
      placement="bottomRight"
      icon={<SettingOutlined aria-hidden="true" />}
    >
      Columns
    </ButtonPopover>
  );
}
