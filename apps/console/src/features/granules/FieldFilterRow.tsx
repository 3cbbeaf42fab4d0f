import { DeleteOutlined } from '@ant-design/icons';
import { shownName } from '@kaptain/contract/field-rules';
import { fieldTypeNamed } from '@kaptain/contract/fields';
import type { Kapsule } from '@kaptain/contract/kapsules';
import { Input, Select } from 'antd';
import { IconAction } from '../../shared/IconAction.tsx';
import styles from './FieldFilters.module.css';
import { boundInputOf, choicesOf, type FilterDraft, newDraft } from './filter-draft.ts';

interface Props {
  draft: FilterDraft;
  fields: Kapsule['fields'];
  /** Shown at the field; undefined when nothing is wrong. */
  problem: string | undefined;
  onChange: (draft: FilterDraft) => void;
  onRemove: () => void;
}

/** One condition: field, comparison and values. */
export function FieldFilterRow({ draft, fields, problem, onChange, onRemove }: Props) {
  const typeOf = (name: string) => fields.find((field) => field.name === name)?.type ?? 'text';
  const type = typeOf(draft.field);
  const labelOf = (name: string) => shownName(fields.find((field) => field.name === name) ?? { name });
  const shown = labelOf(draft.field);
  const status = problem === undefined ? '' : 'error';
  const value = (name: 'text' | 'from' | 'to', label: string, input = 'text') => (
    <Input
      key={name}
      type={input}
      status={status}
      aria-label={`${shown}: ${label}`}
      aria-invalid={problem !== undefined}
      placeholder={label}
      value={draft[name]}
      inputMode={fieldTypeNamed(type).enteredAs === 'decimal' ? 'decimal' : undefined}
      onChange={({ target }) => onChange({ ...draft, [name]: target.value })}
    />
  );
  return (
    <li className={styles['row']}>
      <Select
        aria-label="Field"
        showSearch={{ optionFilterProp: 'label' }}
        options={fields.map(({ name }) => ({ value: name, label: labelOf(name) }))}
        value={draft.field}
        onChange={(name: string) => onChange(newDraft(name, typeOf(name)))}
      />
      <Select
        aria-label={`${shown}: condition`}
        options={choicesOf(type)}
        value={draft.is}
        onChange={(is: string) => onChange({ ...draft, is })}
      />
      <div className={styles['values']}>
        {draft.is === 'contains' && value('text', 'text')}
        {draft.is === 'between' && [
          value('from', 'from', boundInputOf(type)),
          value('to', 'to', boundInputOf(type)),
        ]}
      </div>
      <IconAction
        title="Remove"
        label={`Remove the condition on ${shown}`}
        icon={<DeleteOutlined aria-hidden="true" />}
        onClick={onRemove}
      />
      {problem !== undefined && (
        <span className={styles['problem']} role="alert">
          {problem}
        </span>
      )}
    </li>
  );
}
