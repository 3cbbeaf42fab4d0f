import { shownName } from '@kaptain/contract/field-rules';
import type { Kapsule } from '@kaptain/contract/kapsules';
import { useWithFields } from '../../api/kapsules.ts';
import { ruled } from '../../shared/fields/ruled-field.ts';
import { rulesText } from '../../shared/fields/rules-text.ts';
import { typeName } from '../../shared/fields/type-names.ts';
import { ListPopover } from '../../shared/ListPopover.tsx';
import { messageOf } from '../../shared/message-of.ts';
import { useWords } from '../../variants/use-variant.ts';
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
  const words = useWords();
  if (!whole) return <li>{error ? messageOf(error) : 'Loading …'}</li>;
  return whole.fields.map((field) => (
    <li key={field._id ?? field.name} className={styles['field']}>
      <span>{shownName(field)}</span>
      <code>{[typeName(field.type, words), ...rulesText(ruled(field))].join(', ')}</code>
    </li>
  ));
}
