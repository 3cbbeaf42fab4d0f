import { shownName } from '@kaptain/contract/field-rules';
import type { FieldsCheck } from '@kaptain/contract/misfits';
import { ruleTitle } from './fields/rule-title.ts';
import styles from './RefusalSummary.module.css';

interface Props extends Pick<FieldsCheck, 'rules' | 'first'> {
  fields: readonly { name: string; label?: string | undefined }[];
}

const FIRST_SHOWN = 10;
const format = (value: number) => value.toLocaleString('en-US');

/** How many values break which rule of which field, and the first ones with the reason. */
export function RefusalSummary({ rules, first, fields }: Props) {
  const labels = new Map(fields.map((field) => [field.name, shownName(field)]));
  return (
    // biome-ignore lint: the tables scroll, so the keyboard must reach them.
    <div className={styles['summary']} tabIndex={0} role="region" aria-label="Values that do not fit">
      <table>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Rule</th>
            <th scope="col" className={styles['count']}>
              Values
            </th>
          </tr>
        </thead>
        <tbody>
          {rules.map(({ field, rule, count }) => (
            <tr key={`${rule} ${field}`}>
              <td>{labels.get(field) ?? field}</td>
              <td>{ruleTitle(rule)}</td>
              <td className={styles['count']}>{format(count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {first.length > 0 && (
        <ul aria-label="The first ones">
          {first.slice(0, FIRST_SHOWN).map(({ key, field, rule, message, value }) => (
            <li key={`${rule} ${field} ${key}`}>
              <strong>{key}</strong> {message} {value !== undefined && <code>{JSON.stringify(value)}</code>}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
