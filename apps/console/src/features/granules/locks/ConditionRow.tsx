import { DeleteOutlined } from '@ant-design/icons';
import type { RuledField } from '@kaptain/contract/field-rules';
import { Select } from 'antd';
import { IconAction } from '../../../shared/IconAction.tsx';
import { ConditionValue } from './ConditionValue.tsx';
import { type ConditionDraft, comparisonsAbout, newCondition, subjects } from './condition-draft.ts';
import styles from './Locks.module.css';

export interface ConditionContext {
  kapsuleId: string;
  fields: readonly RuledField[];
  /** Names by id. */
  groups: ReadonlyMap<string, string>;
}

interface Props extends ConditionContext {
  number: number;
  value?: ConditionDraft;
  onChange?: (draft: ConditionDraft) => void;
  onRemove: () => void;
}

/** One condition of a lock: what it asks of, how it compares, and with what. */
export function ConditionRow({ number, value: draft, onChange, onRemove, ...context }: Props) {
  if (!draft) return null;
  const { fields } = context;
  const comparisons = comparisonsAbout(draft.about, fields);
  return (
    <div className={styles['condition']} role="group" aria-label={`Condition ${number}`}>
      <Select
        aria-label={`Condition ${number}: of what`}
        showSearch={{ optionFilterProp: 'label' }}
        options={subjects(fields)}
        value={draft.about}
        onChange={(about: string) => onChange?.(newCondition(about, fields))}
      />
      <Select
        aria-label={`Condition ${number}: comparison`}
        options={comparisons}
        value={draft.is}
        onChange={(is: string) => onChange?.({ ...draft, is })}
      />
      <div className={styles['value']}>
        <ConditionValue
          {...context}
          draft={draft}
          label={`Condition ${number}: value`}
          onChange={(change) => onChange?.({ ...draft, ...change })}
        />
      </div>
      <IconAction
        title="Remove"
        label={`Remove condition ${number}`}
        icon={<DeleteOutlined />}
        onClick={onRemove}
      />
    </div>
  );
}
