import { AutoComplete } from 'antd';
import { type ControlProps, chosenIn } from './input-props.ts';

/** A text for which values are offered, of which the service knows more than can be listed here. */
export function OfferedInput({ offered, input: { value, onChange, ...rest } }: ControlProps) {
  return (
    <AutoComplete
      {...rest}
      allowClear
      options={offered?.values.map((one) => ({ value: one })) ?? []}
      showSearch={{ ...(offered && { onSearch: offered.onSearch }), filterOption: isPart }}
      placeholder="Not set"
      value={chosenIn(value)}
      onChange={(text: string | undefined) => onChange?.(text ?? '')}
    />
  );
}

const isPart = (typed: string, option: { value: string } | undefined): boolean =>
  option?.value.toLowerCase().includes(typed.toLowerCase()) ?? false;
