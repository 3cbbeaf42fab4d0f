import type { Choice } from '@kaptain/contract/field-rules';
import { Tag, type TagProps } from 'antd';

interface Props extends Pick<TagProps, 'onClose'> {
  choices: readonly Choice[] | undefined;
  value: string;
}

/** A choice in its colour; with `onClose` it can be taken away. */
export function ChoiceTag({ choices, value, onClose }: Props) {
  const color = choices?.find((choice) => choice.value === value)?.color;
  return (
    <Tag {...(color && { color })} {...(onClose && { onClose, closable: true })}>
      {value}
    </Tag>
  );
}
