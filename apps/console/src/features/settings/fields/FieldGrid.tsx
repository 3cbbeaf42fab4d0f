import type { SettingField } from '@kaptain/contract/settings/data-source-fields';
import styles from '../Settings.module.css';
import { FieldInput, type FieldInputProps } from './FieldInput.tsx';

interface Props extends Pick<FieldInputProps, 'isNeeded'> {
  at: readonly string[];
  fields: readonly SettingField[];
  /** Properties of single fields beyond their description. */
  more?: Partial<Record<string, Pick<FieldInputProps, 'placeholder' | 'tidy'>>>;
}

const isSwitch = ({ kind }: SettingField) => kind === 'checkbox';

/** Fields side by side where there is room; checkboxes come last, in lines of their own. */
export function FieldGrid({ at, fields, isNeeded, more = {} }: Props) {
  const draw = (field: SettingField) => (
    <FieldInput key={field.key} at={at} field={field} isNeeded={isNeeded} {...more[field.key]} />
  );
  const switches = fields.filter(isSwitch);
  return (
    <>
      <div className={styles['grid']}>{fields.filter((field) => !isSwitch(field)).map(draw)}</div>
      {switches.length > 0 && <div className={styles['switches']}>{switches.map(draw)}</div>}
    </>
  );
}
