import { fieldTypeNamed, isThread } from '@kaptain/contract/fields';
import { limits } from '@kaptain/contract/limits';
import { Alert, Checkbox, Form, Input } from 'antd';
import { useWords } from '../../variants/use-variant.ts';
import { FieldInput } from '../fields/FieldInput.tsx';
import { mayHave } from '../fields/may-have.ts';
import { boundNames } from './bound-names.ts';
import { ChoiceRules } from './ChoiceRules.tsx';
import type { ChoiceSources } from './choice-sources.ts';
import styles from './KapsuleForm.module.css';
import type { KapsuleValues } from './kapsule-values.ts';
import { type FieldRow, readRow, rowProblem } from './rule-values.ts';

const unknown: FieldRow = { name: '', type: '' };

interface Props {
  id: string;
  index: number;
  sources: ChoiceSources;
}

/** The rules that a field of its type can have. */
export function RulesPanel({ id, index, sources }: Props) {
  const { granule } = useWords();
  const form = Form.useFormInstance<KapsuleValues>();
  const rows = Form.useWatch((values: KapsuleValues) => values.fields, { form, preserve: true }) ?? [];
  const row = rows[index] ?? unknown;
  const { enteredAs } = fieldTypeNamed(row.type);
  const has = mayHave(row.type);
  const isRuled = !isThread(row.type);
  // The choices and the accounts say already which texts there are.
  const isChosen = enteredAs === 'choice' || enteredAs === 'person';
  const isBounded = has('min') && (!isChosen || row.min !== undefined || row.max !== undefined);
  const problem = rowProblem(rows, index);
  const names = boundNames(row.type);
  const text = (name: keyof FieldRow, label: string, rest: object = {}) => (
    <Form.Item name={[index, name]} label={label} {...rest}>
      <Input autoComplete="off" maxLength={limits.nameCharacters} />
    </Form.Item>
  );
  const check = (name: keyof FieldRow, label: string) => (
    <Form.Item name={[index, name]} valuePropName="checked">
      <Checkbox>{label}</Checkbox>
    </Form.Item>
  );
  return (
    <div
      id={id}
      className={styles['rules']}
      role="group"
      aria-label={`Rules of ${row.name || `field ${index + 1}`}`}
    >
      {text('label', 'Label', { extra: 'Shown in place of the name.' })}
      <Form.Item name={[index, 'help']} label="Help" extra="Shown below the field.">
        <Input autoComplete="off" maxLength={limits.ruleTextCharacters} />
      </Form.Item>
      {isRuled && (
        <div className={`${styles['wide']} ${styles['checks']}`}>
          {check('required', 'Required')}
          {check('writeOnce', 'Write once')}
          {has('thousands') && check('thousands', 'Show thousands')}
        </div>
      )}
      {isBounded && text('min', names[0])}
      {isBounded && text('max', names[1])}
      {has('decimals') && text('decimals', 'Decimals')}
      {has('unit') && text('unit', 'Unit')}
      {has('pattern') &&
        text('pattern', 'Pattern', { extra: 'The whole text must match, e.g. [A-Z]{2}-\\d+' })}
      {has('choices') && <ChoiceRules index={index} row={row} rows={rows} sources={sources} />}
      {isRuled && (
        <Form.Item
          name={[index, 'default']}
          label="Default"
          extra={`The value of a new ${granule.one} that brings none.`}
        >
          <FieldInput field={readRow(row).field} />
        </Form.Item>
      )}
      {problem !== undefined && (
        <div className={styles['wide']} role="status">
          <Alert type="error" showIcon title={problem} />
        </div>
      )}
    </div>
  );
}
