import type { Kapsule, KapsuleOverview } from '@kaptain/contract/kapsules';
import { App, Tag } from 'antd';
import { useReloadKapsule } from '../../../api/kapsule-overview.ts';
import { isUnderWay } from '../../../api/logs.ts';
import { messageOf } from '../../../shared/message-of.ts';
import { PageLink } from '../../../shared/PageLink.tsx';
import { RunStatus } from '../../../shared/RunStatus.tsx';
import { scheduleSentence } from '../../../shared/schedule/schedule-plan.ts';
import { TimeText } from '../../../shared/TimeText.tsx';
import { useWords } from '../../../variants/use-variant.ts';
import styles from './Hub.module.css';
import { HubFact } from './HubFact.tsx';

interface Props {
  kapsule: Kapsule;
  /** Undefined before the first answer. */
  overview: KapsuleOverview | undefined;
  mayReload: boolean;
  /** For ADMINs: opens the dialog for app and schedule. */
  onSchedule: (() => void) | undefined;
}

const none = (text: string) => <span className={styles['quiet']}>{text}</span>;

function LastReload({ overview }: Pick<Props, 'overview'>) {
  const job = overview?.lastReload;
  if (!job) return none(overview ? 'None yet' : '–');
  return (
    <>
      <RunStatus entry={job} />{' '}
      <PageLink to={`/system/logs?open=${encodeURIComponent(job._id)}`}>
        <TimeText value={job.lastFinishedAt ?? job.lastRunAt ?? job.createdAt} />
      </PageLink>
    </>
  );
}

/** The app that loads a kapsule, when it does, and how the last reload ended. */
export function ReloadFacts({ kapsule, overview, mayReload, onSchedule }: Props) {
  const { platform } = useWords();
  const { message } = App.useApp();
  const reload = useReloadKapsule(kapsule._id);
  const { appId = null, schedule = null, lastReload = null } = overview ?? {};
  const sentence = schedule ? scheduleSentence(schedule.cron, schedule.timeZone) : undefined;
  const start = () =>
    reload.mutate(undefined, {
      onSuccess: ({ name }) => void message.success(`${name} is queued.`),
      onError: (error) => void message.error(messageOf(error)),
    });
  const change = (what: string, isSet: boolean) => {
    if (!onSchedule || !overview) return undefined;
    const text = isSet ? 'Change' : 'Set';
    return { text, label: `${text} the ${what}`, onClick: onSchedule };
  };
  return (
    <>
      <HubFact label={`App in ${platform}`} full={appId ?? undefined} action={change('app', appId !== null)}>
        {appId ? <code>{appId}</code> : none(overview ? 'No app loads it' : '–')}
      </HubFact>
      <HubFact label="Schedule" full={sentence} action={change('schedule', sentence !== undefined)}>
        {schedule?.isPaused && <Tag>Paused</Tag>}
        {sentence ?? none(overview ? 'No schedule' : '–')}
      </HubFact>
      <HubFact
        label="Last reload"
        isWide
        action={
          mayReload && appId && !(lastReload && isUnderWay(lastReload))
            ? {
                text: 'Reload now',
                label: `Reload now: ${kapsule.name}`,
                onClick: start,
                isBusy: reload.isPending,
              }
            : undefined
        }
      >
        <LastReload overview={overview} />
      </HubFact>
    </>
  );
}
