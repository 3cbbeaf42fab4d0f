import { fieldTypeNamed } from '@kaptain/contract/fields';
import { Form, Select } from 'antd';
import { useEffect, useEffectEvent } from 'react';
import { useWords } from '../../variants/use-variant.ts';
import { MultipleSelect } from '../MultipleSelect.tsx';
import { ChoicesEditor } from './ChoicesEditor.tsx';
import type { ChoiceSources } from './choice-sources.ts';
import styles from './KapsuleForm.module.css';
import type { KapsuleValues } from './kapsule-values.ts';
import type { FieldRow } from './rule-values.ts';

interface Props {
  index: number;
  row: FieldRow;
  rows: readonly FieldRow[];
  sources: ChoiceSources;
}

const named = (names: readonly string[]) => names.map((value) => ({ value, label: value }));

/** Where the choices of a field come from, and which there are. */
export function ChoiceRules({ index, row, rows, sources }: Props) {
  const { kapsule } = useWords();
  const form = Form.useFormInstance<KapsuleValues>();
  const isFrom = row.choicesFrom !== undefined;
  const name = row.name || `field ${index + 1}`;
  const source = row.choicesFrom?.kapsuleId;
  const ask = useEffectEvent(sources.askFields);
  useEffect(() => {
    if (source) ask(source);
  }, [source]);
  const set = (part: Partial<FieldRow>) => form.setFieldValue(['fields', index], { ...row, ...part });
  return (
    <>
      <Form.Item label="Choices" className={styles['wide'] ?? ''}>
        <Select
          aria-label={`Where the choices of ${name} come from`}
          value={isFrom ? 'from' : 'own'}
          options={[
            { value: 'own', label: 'A list of this field' },
            { value: 'from', label: `The values of another ${kapsule.one}` },
          ]}
          onChange={(kind: string) => set({ choicesFrom: kind === 'from' ? {} : undefined })}
        />
      </Form.Item>
      {isFrom ? (
        <>
          <Form.Item name={[index, 'choicesFrom', 'kapsuleId']} label={`${kapsule.One} of the choices`}>
            <Select
              showSearch={{ optionFilterProp: 'label' }}
              placeholder="Choose"
              options={[
                ...(source === '' ? [{ value: '', label: 'One that you may not see' }] : []),
                ...sources.kapsules.map(({ _id, name: label }) => ({ value: _id, label })),
              ]}
            />
          </Form.Item>
          <Form.Item name={[index, 'choicesFrom', 'field']} label="Field of the choices">
            <Select showSearch placeholder="Choose" options={named(sources.fieldsOf(source))} />
          </Form.Item>
        </>
      ) : (
        <>
          <Form.Item name={[index, 'choices']} noStyle>
            <ChoicesEditor fieldName={name} />
          </Form.Item>
          <Dependence index={index} row={row} rows={rows} />
        </>
      )}
    </>
  );
}

/** Which choices there are for each value of another field of the row. */
function Dependence({ index, row, rows }: Pick<Props, 'index' | 'row' | 'rows'>) {
  const others = rows.filter(
    (one) => one !== row && one.name.trim() !== '' && fieldTypeNamed(one.type).enteredAs === 'choice',
  );
  const chosen = row.choicesBy?.field;
  if (others.length === 0 && chosen === undefined) return null;
  const other = others.find(({ name }) => name.trim() === chosen);
  const stored = Object.keys(row.choicesBy?.choices ?? {});
  const values = [...new Set([...(other?.choices?.map(({ value }) => value.trim()) ?? []), ...stored])];
  const own = named((row.choices ?? []).map(({ value }) => value.trim()).filter((value) => value !== ''));
  return (
    <div className={styles['wide']}>
      <Form.Item
        name={[index, 'choicesBy', 'field']}
        label="Choices depend on"
        extra="Another field of the row decides which of the choices are offered."
      >
        <Select
          allowClear
          placeholder="No other field"
          options={named(others.map(({ name }) => name.trim()))}
        />
      </Form.Item>
      {chosen !== undefined &&
        values
          .filter((value) => value !== '')
          .map((value) => (
            <Form.Item
              key={value}
              name={[index, 'choicesBy', 'choices', value]}
              label={`${chosen}: ${value}`}
            >
              <MultipleSelect allowClear placeholder="No choice" options={own} />
            </Form.Item>
          ))}
    </div>
  );
}
