import type { KapsuleSchedule } from '@kaptain/contract/logs';
import { Button, Tag } from 'antd';
import { scheduleSentence } from '../../shared/schedule/schedule-plan.ts';
import { TimeText } from '../../shared/TimeText.tsx';
import styles from './Logs.module.css';

interface Props {
  schedules: readonly KapsuleSchedule[];
  onChoose: (kapsuleId: string) => void;
}

/** After every time: a paused schedule has no next run. */
const NEVER = '~';

/** The scheduled reloads, the next one first, paused ones last. */
export function ScheduleList({ schedules, onChoose }: Props) {
  const set = schedules
    .filter(({ cron }) => cron !== null)
    .toSorted((a, b) => ((a.nextRunAt ?? NEVER) < (b.nextRunAt ?? NEVER) ? -1 : 1));
  if (set.length === 0) return null;
  return (
    <ul className={styles['schedules']} aria-label="Schedules">
      {set.map(({ kapsuleId, kapsulename, cron, timeZone, isPaused, nextRunAt }) => (
        <li key={kapsuleId}>
          <Button type="link" size="small" onClick={() => onChoose(kapsuleId)}>
            {kapsulename}
          </Button>
          <span>{scheduleSentence(cron ?? '', timeZone)}</span>
          {isPaused ? (
            <Tag>Paused</Tag>
          ) : (
            <span>
              next <TimeText value={nextRunAt} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
