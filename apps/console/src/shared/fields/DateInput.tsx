import { CalendarOutlined } from '@ant-design/icons';
import { shownName } from '@kaptain/contract/field-rules';
import { fieldTypeNamed, readText } from '@kaptain/contract/fields';
import { Button, Input } from 'antd';
import { useRef } from 'react';
import { toField } from '../time-span.ts';
import styles from './Fields.module.css';
import type { ControlProps } from './input-props.ts';
import { personLocale } from './person-locale.ts';
import { shownText } from './shown-text.ts';

/** A day or a time: typed as the person writes it, or chosen in the calendar of the browser. */
export function DateInput({ field, input: { value = '', onChange, ...rest } }: ControlProps) {
  const picker = useRef<HTMLInputElement>(null);
  const definition = fieldTypeNamed(field.type);
  const isDay = definition.enteredAs === 'date';
  const read = readText(definition, value, personLocale());
  const choose = (text: string) => {
    const chosen = readText(definition, text);
    // A time that the clock does not show, or shows twice, stays as text, so that it is refused with its readings.
    if (chosen === undefined) onChange?.(text.replace('T', ' '));
    else onChange?.(chosen === null ? '' : shownText(field, chosen));
  };
  return (
    <div className={styles['dated']}>
      <Input
        {...rest}
        value={value}
        autoComplete="off"
        placeholder={isDay ? 'yyyy-mm-dd' : 'yyyy-mm-dd hh:mm'}
        onChange={({ target }) => onChange?.(target.value)}
        suffix={
          <Button
            type="text"
            size="small"
            icon={<CalendarOutlined aria-hidden="true" />}
            aria-label={`Calendar of ${shownName(field)}`}
            disabled={rest.disabled === true}
            onClick={() => picker.current?.showPicker()}
          />
        }
      />
      <input
        ref={picker}
        className={styles['picker']}
        type={isDay ? 'date' : 'datetime-local'}
        tabIndex={-1}
        aria-hidden="true"
        value={typeof read === 'string' ? (isDay ? read : toField(read)) : ''}
        onChange={({ target }) => choose(target.value)}
      />
    </div>
  );
}
