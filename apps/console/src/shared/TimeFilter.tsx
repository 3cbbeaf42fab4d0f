import { Input, Select } from 'antd';
import styles from './TimeFilter.module.css';
import { fromField, type TimeState, timeRanges, toField } from './time-span.ts';

interface Props {
  state: TimeState;
  onChange: (change: Partial<TimeState>) => void;
}

const times = [
  ...Object.entries(timeRanges).map(([value, [label]]) => ({ value, label })),
  { value: 'custom', label: 'From … to …' },
];

/** Chooses a recent time span, or start and end in the browser's own date fields, which support its language and keyboard. */
export function TimeFilter({ state, onChange }: Props) {
  return (
    <>
      <Select
        aria-label="Any time"
        placeholder="Any time"
        allowClear
        options={times}
        // antd takes null, not an empty text, for no choice.
        value={state.time || null}
        onChange={(value: string | null | undefined) => onChange({ time: value ?? '' })}
      />
      {state.time === 'custom' &&
        (['since', 'until'] as const).map((name) => (
          <label key={name} className={styles['moment']}>
            {name === 'since' ? 'From' : 'To'}
            <Input
              type="datetime-local"
              value={toField(state[name])}
              onChange={({ target }) => onChange({ [name]: fromField(target.value) })}
            />
          </label>
        ))}
    </>
  );
}
