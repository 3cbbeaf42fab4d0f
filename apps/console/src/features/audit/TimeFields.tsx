import { Input } from 'antd';
import styles from './Audit.module.css';
import { type FilterState, fromField, toField } from './audit-filter.ts';

interface Props {
  state: FilterState;
  onChange: (change: Partial<FilterState>) => void;
}

/** The browser's own fields: they know its calendar, its language and its keyboard. */
export function TimeFields({ state, onChange }: Props) {
  return (['since', 'until'] as const).map((name) => (
    <label key={name} className={styles['moment']}>
      {name === 'since' ? 'From' : 'To'}
      <Input
        type="datetime-local"
        value={toField(state[name])}
        onChange={({ target }) => onChange({ [name]: fromField(target.value) })}
      />
    </label>
  ));
}
