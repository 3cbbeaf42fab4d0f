import type { Kapsule } from '@kaptain/contract/kapsules';
import { Button, Popover } from 'antd';
import styles from './KapsulesTable.module.css';

/** The number of fields; their names and types in a popover. */
export function FieldsCell({ kapsule }: { kapsule: Kapsule }) {
  const { fields } = kapsule;
  if (fields.length === 0) return '0';
  const list = (
    <ul className={styles['fields']}>
      {fields.map(({ _id, name, type }) => (
        <li key={_id ?? name}>
          <span>{name}</span>
          <code>{type}</code>
        </li>
      ))}
    </ul>
  );
  return (
    <Popover content={list} title={`Fields of ${kapsule.name}`} trigger={['hover', 'focus']} placement="left">
      <Button type="link" size="small" aria-label={`${fields.length} fields of ${kapsule.name}`}>
        {fields.length}
      </Button>
    </Popover>
  );
}
