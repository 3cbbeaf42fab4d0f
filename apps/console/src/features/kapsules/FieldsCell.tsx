import type { Kapsule } from '@kaptain/contract/kapsules';
import { ButtonPopover } from '../../shared/ButtonPopover.tsx';
import styles from './KapsulesTable.module.css';

/** The number of fields; their names and types in a popover. */
export function FieldsCell({ kapsule }: { kapsule: Kapsule }) {
  const { fields } = kapsule;
  if (fields.length === 0) return '0';
  const title = `Fields of ${kapsule.name}`;
  const list = (
    // The list scrolls, so the keyboard must reach it.
    <ul className={styles['fields']} tabIndex={0} aria-label={title}>
      {fields.map(({ _id, name, type }) => (
        <li key={_id ?? name}>
          <span>{name}</span>
          <code>{type}</code>
        </li>
      ))}
    </ul>
  );
  return (
    <ButtonPopover
      title={title}
      content={list}
      placement="bottom"
      type="link"
      size="small"
      aria-label={`${fields.length} fields of ${kapsule.name}`}
    >
      {fields.length}
    </ButtonPopover>
  );
}
