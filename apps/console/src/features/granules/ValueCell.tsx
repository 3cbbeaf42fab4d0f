import { WarningOutlined } from '@ant-design/icons';
import { valueCheck } from '@kaptain/contract/field-rules';
import { isEmpty, isThread } from '@kaptain/contract/fields';
import type { Kapsule } from '@kaptain/contract/kapsules';
import { CellText } from '../../shared/CellText.tsx';
import { ruled } from '../../shared/fields/ruled-field.ts';
import { ShownValue } from '../../shared/fields/ShownValue.tsx';
import styles from './Granules.module.css';
import { valueText } from './value-text.ts';

type Field = Kapsule['fields'][number];

/** By field: making a check takes longer than using it for a cell. */
const checks = new WeakMap<Field, ReturnType<typeof valueCheck>>();

function checkOf(field: Field): ReturnType<typeof valueCheck> {
  const check = checks.get(field) ?? valueCheck(ruled(field));
  checks.set(field, check);
  return check;
}

/** A value in a table; one that was stored before its type or a rule forbade it stays readable and is marked. */
export function ValueCell({ field, value }: { field: Field; value: unknown }) {
  if (isThread(field.type) || isEmpty(value)) return <CellText>{valueText(value, field)}</CellText>;
  const checked = checkOf(field)(value);
  if (!('rule' in checked))
    return (
      <CellText>
        <ShownValue field={ruled(field)} value={value} />
      </CellText>
    );
  const text = valueText(value, field);
  return (
    <CellText full={`${text}: ${checked.message}`}>
      <WarningOutlined className={styles['misfit'] ?? ''} aria-label={checked.message} /> {text}
    </CellText>
  );
}
