import { SettingOutlined } from '@ant-design/icons';
import { Button, Checkbox, Popover } from 'antd';
import styles from './Toolbar.module.css';

interface Props {
  /** Every column that can be shown or not. */
  names: readonly string[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

/** Chooses the optional columns of a table. */
export function ColumnChooser({ names, chosen, onChange }: Props) {
  if (names.length === 0) return null;
  const boxes = (
    <Checkbox.Group
      className={styles['columns'] ?? ''}
      options={[...names]}
      value={[...chosen]}
      // In the order of the columns, not of the clicks.
      onChange={(values) => onChange(names.filter((name) => values.includes(name)))}
    />
  );
  return (
    <Popover content={boxes} title="Columns" trigger="click" placement="bottomRight">
      <Button icon={<SettingOutlined aria-hidden="true" />}>Columns</Button>
    </Popover>
  );
}
