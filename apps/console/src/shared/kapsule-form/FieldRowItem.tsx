import { DeleteOutlined, WarningOutlined } from '@ant-design/icons';
import { fieldTypeNames } from '@kaptain/contract/fields';
import { Button, Form, Input, Select } from 'antd';
import { useId, useState } from 'react';
import { useWords } from '../../variants/use-variant.ts';
import { mayHave } from '../fields/may-have.ts';
import { typeNames } from '../fields/type-names.ts';
import { IconAction } from '../IconAction.tsx';
import type { ChoiceSources } from './choice-sources.ts';
import styles from './KapsuleForm.module.css';
import { fieldProblem, type KapsuleValues } from './kapsule-values.ts';
import { lostRules } from './lost-rules.ts';
import { RulesPanel } from './RulesPanel.tsx';
import { type FieldRow, rowProblem, ruleCount } from './rule-values.ts';
import { switchedRow } from './switched-row.ts';

interface Props {
  index: number;
  isStored: boolean;
  /** A kapsule has at least one field. */
  isLast: boolean;
  sources: ChoiceSources;
  onRemove: () => void;
}

const none: FieldRow = { name: '', type: '' };

/** One field: name and type; its rules when they are opened. */
export function FieldRowItem({ index, isStored, isLast, sources, onRemove }: Props) {
  const words = useWords();
  const form = Form.useFormInstance<KapsuleValues>();
  // The rules that are not open have no control in the form.
  const row =
    Form.useWatch((values: KapsuleValues) => values.fields?.[index], { form, preserve: true }) ?? none;
  const [isOpen, setOpen] = useState(false);
  const panel = useId();
  const names = typeNames(words);
  const rules = ruleCount(row);
  const lost = lostRules(row);
  const rowsNow = () => form.getFieldValue('fields') as KapsuleValues['fields'];
  const refuse = (problem: string | undefined) =>
    problem === undefined ? Promise.resolve() : Promise.reject(new Error(problem));
  return (
    <div className={styles['row']}>
      <div className={styles['field']}>
        <Form.Item
          name={[index, 'name']}
          rules={[{ validator: () => refuse(fieldProblem(rowsNow(), index)) }]}
        >
          <Input
            aria-label={`Name of field ${index + 1}`}
            disabled={isStored}
            autoComplete="off"
            maxLength={255}
          />
        </Form.Item>
        <Form.Item name={[index, 'type']} rules={[{ validator: () => refuse(rowProblem(rowsNow(), index)) }]}>
          <Select
            aria-label={`Type of field ${index + 1}`}
            options={fieldTypeNames.map((value) => ({ value, label: names[value] }))}
            onChange={(type: string) => {
              if (row.choices === undefined && mayHave(type)('choices')) setOpen(true);
              form.setFieldValue(['fields', index], switchedRow(row, type));
            }}
          />
        </Form.Item>
        <Button
          type="text"
          aria-label={`Rules of field ${index + 1}`}
          aria-expanded={isOpen}
          aria-controls={isOpen ? panel : undefined}
          onClick={() => setOpen(!isOpen)}
        >
          {rules > 0 ? `Rules (${rules})` : 'Rules'}
        </Button>
        <IconAction
          title="Remove"
          label={`Remove field ${index + 1}`}
          icon={<DeleteOutlined />}
          blockedBy={isLast ? 'It needs at least one field.' : undefined}
          onClick={onRemove}
        />
      </div>
      {lost.length > 0 && (
        <p className={styles['lost']} role="status">
          <WarningOutlined aria-hidden="true" /> Not saved: {lost.join(', ')}.
        </p>
      )}
      {isOpen && <RulesPanel id={panel} index={index} sources={sources} />}
    </div>
  );
}
