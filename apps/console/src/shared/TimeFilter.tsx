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

/** The last hours or days, or two moments in the browser's own fields: they know its calendar, language and keyboard. */
export function TimeFilter({ state, onChange }: Props) {
  return (
    <>
      <Select
        aria-label="Any time"
        placeholder="Any time"
        allowClear
        options={times}
        // An empty text is no choice.
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
