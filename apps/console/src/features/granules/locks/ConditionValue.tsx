import type { RuledField } from '@kaptain/contract/field-rules';
import { MultipleSelect } from '../../../shared/MultipleSelect.tsx';
import { NamesSelect } from '../../../shared/NamesSelect.tsx';
import { KapsuleFieldInput } from '../KapsuleFieldInput.tsx';
import { useOffered } from '../use-offered.ts';
import { type ConditionDraft, fieldOf, timeField } from './condition-draft.ts';

const person: RuledField = { name: 'person', type: 'person' };
const groupNoun = { one: 'group', many: 'groups' };

interface PeopleProps {
  id?: string;
  kapsuleId: string;
  value?: string[];
  onChange?: (names: string[]) => void;
  'aria-label': string;
}

/** User names; those of people whom this user does not see can be typed. */
function PeopleSelect({ kapsuleId, ...input }: PeopleProps) {
  const { values, isLoading, onSearch } = useOffered(kapsuleId, person);
  return (
    <MultipleSelect
      {...input}
      isFree
      allowClear
      placeholder="User names"
      showSearch={{ onSearch }}
      loading={isLoading}
      options={values.map((value) => ({ value, label: value }))}
    />
  );
}

interface Props {
  kapsuleId: string;
  draft: ConditionDraft;
  fields: readonly RuledField[];
  groups: ReadonlyMap<string, string>;
  label: string;
  onChange: (change: Partial<ConditionDraft>) => void;
}

/** The control of the value with which a condition compares: by the type of its field. */
export function ConditionValue({ kapsuleId, draft, fields, groups, label, onChange }: Props) {
  const { about, is, text, names } = draft;
  const chosen = {
    value: names,
    'aria-label': label,
    onChange: (next: string[]) => onChange({ names: next }),
  };
  if (about === 'group') return <NamesSelect {...chosen} names={groups} isLoading={false} noun={groupNoun} />;
  if (about === 'person') return <PeopleSelect {...chosen} kapsuleId={kapsuleId} />;
  if (is === 'empty' || is === 'filled') return null;
  const field = fieldOf(draft, fields) ?? timeField(about);
  return (
    <KapsuleFieldInput
      key={`${field.type} ${field.name}`}
      kapsuleId={kapsuleId}
      field={field}
      value={text}
      aria-label={label}
      onChange={(typed) => onChange({ text: typed })}
    />
  );
}
