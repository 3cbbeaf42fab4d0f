import { withImpliedRead } from '@kaptain/contract/permissions';
import { Authority } from '@kaptain/contract/vocabulary';
import { Checkbox } from 'antd';

interface Props {
  id?: string;
  value?: Authority[];
  onChange?: (value: Authority[]) => void;
  'aria-describedby'?: string;
}

/** Spec 4: choosing DELETE forces READ to be included, so READ can't be taken back alone. */
export function PermissionBoxes({ id, value = [], onChange, 'aria-describedby': describedBy }: Props) {
  const toggle = (right: Authority, isChosen: boolean) =>
    onChange?.(withImpliedRead(isChosen ? [...value, right] : value.filter((other) => other !== right)));
  return (
    <div id={id} role="group" aria-label="Permission" aria-describedby={describedBy}>
      {Authority.options.map((right) => (
        <Checkbox
          key={right}
          checked={value.includes(right)}
          disabled={right === 'READ' && value.includes('DELETE')}
          onChange={({ target }) => toggle(right, target.checked)}
        >
          {right}
        </Checkbox>
      ))}
    </div>
  );
}
