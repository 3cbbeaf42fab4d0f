import { fieldTypeNamed } from '@kaptain/contract/fields';
import { Input, Select } from 'antd';
import styles from './Fields.module.css';
import { type ControlProps, chosenIn } from './input-props.ts';

const answers = ['true', 'false'].map((value) => ({ value, label: value === 'true' ? 'Yes' : 'No' }));

export function AnswerInput({ input: { value, onChange, ...rest } }: ControlProps) {
  return (
    <Select
      {...rest}
      allowClear
      options={answers}
      placeholder="Not set"
      value={chosenIn(value)}
      onChange={(text: string | undefined) => onChange?.(text ?? '')}
    />
  );
}

/** A text of one line or more. CSS grows it: antd's way sets style attributes, which the content security policy refuses. */
export function TextInput({ field, input: { value, onChange, ...rest } }: ControlProps) {
  const isLong = fieldTypeNamed(field.type).enteredAs === 'paragraph';
  return (
    <Input.TextArea
      {...rest}
      className={`${styles['text']} ${isLong ? styles['paragraph'] : ''}`}
      rows={1}
      value={value ?? ''}
      onChange={({ target }) => onChange?.(target.value)}
    />
  );
}

/** A number, an address or a list, in one line. */
export function LineInput({ field, input: { value, onChange, ...rest } }: ControlProps) {
  const { enteredAs } = fieldTypeNamed(field.type);
  return (
    <Input
      {...rest}
      {...(enteredAs === 'decimal' && { inputMode: 'decimal' as const, suffix: field.unit })}
      {...(enteredAs === 'link' && { inputMode: 'url' as const, placeholder: 'https://' })}
      autoComplete="off"
      value={value ?? ''}
      onChange={({ target }) => onChange?.(target.value)}
    />
  );
}
