import type { RuledField } from '@kaptain/contract/field-rules';
import { fieldTypeNamed } from '@kaptain/contract/fields';
import { Select, type SelectProps } from 'antd';
import { MultipleSelect } from '../MultipleSelect.tsx';
import { ChoiceTag } from './ChoiceTag.tsx';
import { type ControlProps, chosenIn } from './input-props.ts';

type Options = NonNullable<SelectProps<string>['options']>;

function optionsOf({ field, choices, offered }: ControlProps): Options {
  const values = offered?.values ?? choices ?? field.choices?.map(({ value }) => value) ?? [];
  return values.map((value) => ({
    value,
    label: <ChoiceTag choices={field.choices} value={value} />,
  }));
}

/** One choice, in its colour. */
export function ChoiceInput(props: ControlProps) {
  const { value, onChange, ...rest } = props.input;
  return (
    <Select
      {...rest}
      allowClear
      showSearch={{ optionFilterProp: 'value' }}
      options={optionsOf(props)}
      placeholder="Not set"
      notFoundContent="No choice"
      value={chosenIn(value)}
      onChange={(text: string | undefined) => onChange?.(text ?? '')}
    />
  );
}

/** The entries of an edited text, which is a JSON array. */
function entriesOf({ type }: RuledField, text: string | undefined): string[] {
  const [value] = fieldTypeNamed(type).readings(text ?? '');
  return Array.isArray(value) ? value.map(String) : [];
}

const tagOf =
  ({ choices }: RuledField): NonNullable<SelectProps['tagRender']> =>
  ({ value, onClose }) => <ChoiceTag choices={choices} value={String(value)} onClose={onClose} />;

/** Several choices. Those of another kapsule can also be typed, because not all of them are offered. */
export function ChoicesInput(props: ControlProps) {
  const { field, offered } = props;
  const { value, onChange, ...rest } = props.input;
  return (
    <MultipleSelect
      {...rest}
      allowClear
      isFree={offered !== undefined}
      showSearch={{ optionFilterProp: 'value', ...(offered && { onSearch: offered.onSearch }) }}
      options={optionsOf(props)}
      loading={offered?.isLoading === true}
      placeholder="Not set"
      notFoundContent="No choice"
      tagRender={tagOf(field)}
      value={entriesOf(field, value)}
      onChange={(entries) => onChange?.(entries.length > 0 ? JSON.stringify(entries) : '')}
    />
  );
}
