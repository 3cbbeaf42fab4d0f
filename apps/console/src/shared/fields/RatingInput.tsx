import { CloseCircleOutlined } from '@ant-design/icons';
import { STARS, shownName } from '@kaptain/contract/field-rules';
import { Button, Input } from 'antd';
import { useId } from 'react';
import styles from './Fields.module.css';
import type { ControlProps } from './input-props.ts';
import { MOST_STARS } from './Stars.tsx';

/** Stars to choose; a number where there are too many of them. */
export function RatingInput({ field, input: { value = '', onChange, ...rest } }: ControlProps) {
  const group = useId();
  const most = typeof field.max === 'number' ? field.max : STARS;
  const count = Number(value);
  if (most > MOST_STARS || count > most || !Number.isInteger(count))
    return (
      <Input
        {...rest}
        inputMode="numeric"
        autoComplete="off"
        value={value}
        onChange={({ target }) => onChange?.(target.value)}
      />
    );
  return (
    <div className={styles['rating']} role="radiogroup" aria-label={shownName(field)}>
      {Array.from({ length: most }, (_, index) => index + 1).map((star) => (
        <label key={star} data-lit={star <= count} title={`${star} of ${most}`}>
          <input
            type="radio"
            name={group}
            aria-label={`${star} of ${most} stars`}
            checked={star === count && value !== ''}
            disabled={rest.disabled === true}
            onChange={() => onChange?.(String(star))}
          />
          <span aria-hidden="true">★</span>
        </label>
      ))}
      {value !== '' && (
        <Button
          type="text"
          size="small"
          icon={<CloseCircleOutlined aria-hidden="true" />}
          aria-label={`Clear ${shownName(field)}`}
          disabled={rest.disabled === true}
          onClick={() => onChange?.('')}
        />
      )}
    </div>
  );
}
