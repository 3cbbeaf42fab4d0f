import { shownName } from '@kaptain/contract/field-rules';
import type { Kapsule } from '@kaptain/contract/kapsules';
import type { MisfitPage } from '@kaptain/contract/misfits';
import { Button } from 'antd';
import { ruleTitle } from '../../../shared/fields/rule-title.ts';
import styles from './Misfits.module.css';

interface Props {
  kapsule: Pick<Kapsule, 'fields'>;
  rules: MisfitPage['rules'];
  field: string;
  rule: string;
  onChange: (chosen: { field: string; rule: string }) => void;
}

const format = (value: number) => value.toLocaleString('en-US');

/** How many values break which rule of which field; each count shows its values alone. */
export function MisfitFilter({ kapsule, rules, field, rule, onChange }: Props) {
  const labels = new Map(kapsule.fields.map((one) => [one.name, shownName(one)]));
  const all = rules.reduce((sum, { count }) => sum + count, 0);
  const choice = (text: string, count: number, chosen: { field: string; rule: string }) => {
    const isChosen = chosen.field === field && chosen.rule === rule;
    return (
      <Button
        key={`${chosen.rule} ${chosen.field}`}
        size="small"
        type={isChosen ? 'primary' : 'default'}
        aria-pressed={isChosen}
        onClick={() => onChange(chosen)}
      >
        {`${text} ${format(count)}`}
      </Button>
    );
  };
  return (
    <div className={styles['filter']} role="group" aria-label="Field and rule">
      {choice('All', all, { field: '', rule: '' })}
      {rules.map((one) =>
        choice(`${labels.get(one.field) ?? one.field}: ${ruleTitle(one.rule)}`, one.count, {
          field: one.field,
          rule: one.rule,
        }),
      )}
    </div>
  );
}
