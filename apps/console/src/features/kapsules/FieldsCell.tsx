import type { Kapsule } from '@kaptain/contract/kapsules';
import { useWithFields } from '../../api/kapsules.ts';
import { ListPopover } from '../../shared/ListPopover.tsx';
import { messageOf } from '../../shared/message-of.ts';
import styles from './KapsulesTable.module.css';

/** The number of fields; their names and types in a popover, which loads them. */
export function FieldsCell({ kapsule }: { kapsule: Kapsule }) {
  const { name, fields, fieldCount = fields.length } = kapsule;
  return (
    <ListPopover title={`Fields of ${name}`} label={`${fieldCount} fields of ${name}`} count={fieldCount}>
      <FieldItems kapsule={kapsule} />
    </ListPopover>
  );
}

function FieldItems({ kapsule }: { kapsule: Kapsule }) {
  const { whole, error } = useWithFields(kapsule);
  if (!whole) return <li>{error ? messageOf(error) : 'Loading …'}</li>;
  return whole.fields.map(({ _id, name, type }) => (
    <li key={_id ?? name} className={styles['field']}>
      <span>{name}</span>
      <code>{type}</code>
    </li>
  ));
}
