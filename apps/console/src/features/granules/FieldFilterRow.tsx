import { DeleteOutlined } from '@ant-design/icons';
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
  const status = problem === undefined ? '' : 'error';
  const value = (name: 'text' | 'from' | 'to', label: string, input = 'text') => (
    <Input
      key={name}
      type={input}
      status={status}
      aria-label={`${draft.field}: ${label}`}
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
        showSearch
        options={fields.map(({ name }) => ({ value: name, label: name }))}
        value={draft.field}
        onChange={(name: string) => onChange(newDraft(name, typeOf(name)))}
      />
      <Select
        aria-label={`${draft.field}: condition`}
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
        label={`Remove the condition on ${draft.field}`}
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
