import type { Kapsule } from '@kaptain/contract/kapsules';
import { ListPopover } from '../../shared/ListPopover.tsx';
import styles from './KapsulesTable.module.css';

/** The number of fields; their names and types in a popover. */
export function FieldsCell({ kapsule: { name: kapsuleName, fields } }: { kapsule: Kapsule }) {
  return (
    <ListPopover
      title={`Fields of ${kapsuleName}`}
      label={`${fields.length} fields of ${kapsuleName}`}
      count={fields.length}
    >
      {fields.map(({ _id, name, type }) => (
        <li key={_id ?? name} className={styles['field']}>
          <span>{name}</span>
          <code>{type}</code>
        </li>
      ))}
    </ListPopover>
  );
}
