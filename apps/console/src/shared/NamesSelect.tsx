import type { SelectProps } from 'antd';
import { MultipleSelect } from './MultipleSelect.tsx';

interface Props extends Pick<SelectProps<string[]>, 'id' | 'value' | 'onChange'> {
  /** Names by id. */
  names: ReadonlyMap<string, string>;
  isLoading: boolean;
  noun: { one: string; many: string };
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Chooses any number of names out of thousands. */
export function NamesSelect({ names, isLoading, noun, ...field }: Props) {
  const options = Array.from(names, ([value, label]) => ({ value, label })).sort((a, b) =>
    collator.compare(a.label, b.label),
  );
  return (
    <MultipleSelect
      {...field}
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      maxTagCount={20}
      maxTagPlaceholder={(rest) => `and ${rest.length} more`}
      placeholder={`Search ${noun.many}`}
      options={options}
      loading={isLoading}
      notFoundContent={isLoading ? 'Loading…' : `No ${noun.one} found`}
    />
  );
}
