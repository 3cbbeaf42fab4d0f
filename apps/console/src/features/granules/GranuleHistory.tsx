import type { Granule } from '@kaptain/contract/granules';
import { Button, Skeleton } from 'antd';
import { useGranuleHistory } from '../../api/granules.ts';
import { TimeText } from '../../shared/TimeText.tsx';
import styles from './Granules.module.css';
import { type FieldChange, historyEvents } from './history-events.ts';
import { UserText } from './UserText.tsx';

const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

function Changes({ changes }: { changes: readonly FieldChange[] }) {
  return (
    <ul>
      {changes.map(({ field, before, after }) => (
        <li key={field}>
          <span>{field}</span> {before !== undefined && <del>{text(before)}</del>}{' '}
          {after === undefined ? '(removed)' : <ins>{text(after)}</ins>}
        </li>
      ))}
    </ul>
  );
}

/** The changes of one granule: user, time and difference. */
export function GranuleHistory({ kapsuleId, granule }: { kapsuleId: string; granule: Granule }) {
  const { _id, createdAt } = granule;
  const history = useGranuleHistory(kapsuleId, _id);
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
        {events.map(({ kind, by, at, changes }) => (
          <li key={`${kind} ${at}`}>
            <header>
              <strong>{kind}</strong>
              <span>
                {'by '}
                {by ? <UserText user={by} /> : 'unknown'}
              </span>
              <TimeText value={at} />
            </header>
            <Changes changes={changes} />
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
