import { includesAuthority, withImpliedRead } from '@kaptain/contract/permissions';
import { Authority } from '@kaptain/contract/vocabulary';
import { Checkbox } from 'antd';

interface Props {
  id?: string;
  /** Those of the service, by rank. */
  offered: readonly Authority[];
  value?: Authority[];
  onChange?: (value: Authority[]) => void;
  'aria-describedby'?: string;
}

const isForced = (right: Authority, value: readonly Authority[]): boolean =>
  includesAuthority(
    value.filter((other) => other !== right),
    right,
  );

/** Spec 4: choosing a higher one forces those that it includes, so they can't be taken back alone. */
export function PermissionBoxes(props: Props) {
  const { id, offered, value = [], onChange, 'aria-describedby': describedBy } = props;
  const toggle = (right: Authority, isChosen: boolean) =>
    onChange?.(withImpliedRead(isChosen ? [...value, right] : value.filter((other) => other !== right)));
  return (
    <div id={id} role="group" aria-label="Permission" aria-describedby={describedBy}>
      {Authority.options
        .filter((right) => offered.includes(right) || value.includes(right))
        .map((right) => (
          <Checkbox
            key={right}
            checked={includesAuthority(value, right)}
            disabled={isForced(right, value)}
            onChange={({ target }) => toggle(right, target.checked)}
          >
            {right}
          </Checkbox>
        ))}
    </div>
  );
}
