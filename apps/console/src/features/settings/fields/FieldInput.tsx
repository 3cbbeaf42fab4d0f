import { limits } from '@kaptain/contract/limits';
import type { SettingField } from '@kaptain/contract/settings/data-source-fields';
import { Checkbox, Form, Input } from 'antd';
import { pathOfField } from '../paths.ts';
import { rulesOf } from './rules.ts';
import { SecretInput } from './SecretInput.tsx';

export interface FieldInputProps {
  at: readonly string[];
  field: SettingField;
  placeholder?: string | undefined;
  /** Tells whether the required fields are required now. */
  isNeeded?: (() => boolean) | undefined;
  /** Called on blur; its result replaces the typed text. */
  tidy?: ((typed: string) => string) | undefined;
}

/** One field of the settings, drawn from its description. */
export function FieldInput({ at, field, isNeeded, placeholder, tidy }: FieldInputProps) {
  const form = Form.useFormInstance();
  const { kind, key, label, help, required } = field;
  const name = pathOfField(at, key);
  const extra = help !== undefined && { extra: help };
  if (kind === 'checkbox')
    return (
      <Form.Item name={name} valuePropName="checked" {...extra}>
        <Checkbox>{label}</Checkbox>
      </Form.Item>
    );
  return (
    <Form.Item
      name={name}
      label={label}
      rules={rulesOf(field, isNeeded)}
      required={required === true}
      {...extra}
    >
      {kind === 'secret' ? (
        <SecretInput path={name} />
      ) : (
        <Input
          autoComplete="off"
          spellCheck={false}
          maxLength={limits.nameCharacters}
          {...(placeholder !== undefined && { placeholder })}
          {...(kind !== 'text' && { inputMode: 'numeric' as const })}
          {...(tidy && { onBlur: ({ target }) => form.setFieldValue(name, tidy(target.value)) })}
        />
      )}
    </Form.Item>
  );
}
