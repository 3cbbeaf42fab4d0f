import { type RuledField, STARS } from '@kaptain/contract/field-rules';
import { fieldTypeNamed, isEmpty } from '@kaptain/contract/fields';
import { ChoiceTag } from './ChoiceTag.tsx';
import styles from './Fields.module.css';
import { Stars } from './Stars.tsx';
import { shownText } from './shown-text.ts';

/** A value as the type and the rules of its field say; one of another type as text. */
export function ShownValue({ field, value }: { field: RuledField; value: unknown }) {
  const { canonical, enteredAs } = fieldTypeNamed(field.type);
  const known = isEmpty(value) ? undefined : canonical(value);
  if (known === undefined) return shownText(field, value);
  if (enteredAs === 'choice' || enteredAs === 'choices')
    return (Array.isArray(known) ? known : [known]).map((entry) => (
      <ChoiceTag key={String(entry)} choices={field.choices} value={String(entry)} />
    ));
  if (enteredAs === 'rating')
    return <Stars count={Number(known)} most={typeof field.max === 'number' ? field.max : STARS} />;
  // A canonical link has no scheme that runs script.
  if (enteredAs === 'link')
    return (
      <a className={styles['link']} href={String(known)} target="_blank" rel="noopener noreferrer">
        {shownText(field, value)}
      </a>
    );
  return shownText(field, value);
}
