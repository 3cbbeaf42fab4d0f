import type { Granule, GranuleState } from '@kaptain/contract/granules';
import { Button, Skeleton } from 'antd';
import { useGranuleHistory, useSaveGranule } from '../../api/granules.ts';
import { TimeText } from '../../shared/TimeText.tsx';
import { useConfirm } from '../../shared/use-confirm.tsx';
import styles from './Granules.module.css';
import { dataOf } from './granule-data.ts';
import { type FieldChange, historyEvents } from './history-events.ts';
import { threadChanges } from './threads/thread-words.ts';
import { UserText } from './UserText.tsx';

const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

interface ChangesProps {
  changes: readonly FieldChange[];
  /** Fields of which only the comments that differ are shown. */
  threads: ReadonlySet<string>;
}

function Changes({ changes, threads }: ChangesProps) {
  const shown = changes.flatMap((change) => (threads.has(change.field) ? threadChanges(change) : [change]));
  return (
    <ul>
      {shown.map(({ field, before, after }, index) => (
        <li key={`${index} ${field}`}>
          <span>{field}</span> {before !== undefined && <del>{text(before)}</del>}{' '}
          {after === undefined ? '(removed)' : <ins>{text(after)}</ins>}
        </li>
      ))}
    </ul>
  );
}

interface Props {
  kapsuleId: string;
  granule: Granule;
  threads: ReadonlySet<string>;
  /** Whether an earlier version can be brought back. */
  mayEdit: boolean;
}

/** The changes of one granule: user, time and difference. */
export function GranuleHistory({ kapsuleId, granule, threads, mayEdit }: Props) {
  const history = useGranuleHistory(kapsuleId, granule._id);
  const save = useSaveGranule(kapsuleId);
  const confirm = useConfirm();
  const { key, version, createdAt } = granule;
  const bringBack = (state: GranuleState) =>
    confirm({
      title: `Are you sure to bring version ${state.version} of ${key} back?`,
      content: [
        'Its data replaces the present data, which stays in the history.',
        ...(threads.size > 0 ? ['Comments stay as they are.'] : []),
      ].join(' '),
      done: `Version ${state.version} of ${key} is back.`,
      run: () => save.mutateAsync({ key: key ?? '', data: dataOf(state), version }),
    });
  const { data, isError, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = history;
  const events = historyEvents(data ?? [], { areAll: !hasNextPage, createdAt });
  return (
    <section className={styles['history']}>
      <h3>History</h3>
      {isError && (
        <p>
          The history could not be loaded. <Button onClick={() => void refetch()}>Retry</Button>
        </p>
      )}
      {!data && !isError && <Skeleton active title={false} paragraph={{ rows: 2 }} />}
      <ol>
        {events.map(({ kind, by, at, changes, state }) => (
          <li key={`${kind} ${at}`}>
            <header>
              <strong>{kind}</strong>
              <span>
                {'by '}
                {by ? <UserText user={by} /> : 'unknown'}
              </span>
              <TimeText value={at} />
              {mayEdit && state && state.version !== version && (
                <Button
                  type="link"
                  size="small"
                  aria-label={`Bring back version ${state.version}`}
                  onClick={() => bringBack(state)}
                >
                  Bring back
                </Button>
              )}
            </header>
            <Changes changes={changes} threads={threads} />
          </li>
        ))}
      </ol>
      {hasNextPage && (
        <Button loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show earlier changes
        </Button>
      )}
    </section>
  );
}
