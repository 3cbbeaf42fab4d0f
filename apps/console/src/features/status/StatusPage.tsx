import { pathOf } from '@kaptain/contract/client';
import { status } from '@kaptain/contract/status';
import { Alert, App, Button } from 'antd';
import { download } from '../../api/downloads.ts';
import { useStatus } from '../../api/status.ts';
import { ErrorPanel } from '../../shared/ErrorPanel.tsx';
import { messageOf } from '../../shared/message-of.ts';
import { PageHeader } from '../../shared/PageHeader.tsx';
import { TableSkeleton } from '../../shared/PageSkeleton.tsx';
import { TimeText } from '../../shared/TimeText.tsx';
import { formatRelative } from '../../shared/time.ts';
import { useWords } from '../../variants/use-variant.ts';
import { BackupButton } from './BackupButton.tsx';
import { CheckList } from './CheckList.tsx';
import { checkName } from './check-path.ts';
import { FirstSteps } from './FirstSteps.tsx';
import { InstancesTable } from './InstancesTable.tsx';
import styles from './Status.module.css';
import { verdictOf } from './verdict.ts';

export function StatusPage() {
  const words = useWords();
  const { service } = words;
  const query = useStatus();
  const { data } = query;
  const { message } = App.useApp();
  const saveBundle = () =>
    void download(pathOf(status.supportBundle, {})).catch((error: unknown) =>
      message.error(messageOf(error)),
    );
  return (
    <>
      <PageHeader
        title="Status"
        description={`How ${service} and everything it depends on is doing.`}
        actions={
          <>
            <Button
              title="Versions, settings, checks and log lines for support, without secrets and names of people"
              onClick={saveBundle}
            >
              Support bundle
            </Button>
            {data?.checks.some(({ name }) => name === 'Last backup') && <BackupButton />}
            <Button loading={query.isFetching} onClick={() => void query.refetch()}>
              Check again
            </Button>
          </>
        }
      />
      {query.isPending && <TableSkeleton />}
      {query.isError && !data && (
        <ErrorPanel
          title="The status could not be loaded"
          error={query.error}
          onRetry={() => void query.refetch()}
        />
      )}
      {data && (
        <>
          <Alert
            className={styles['overall'] ?? ''}
            showIcon
            {...verdictOf(data.checks, !query.isError, (name) => checkName(name, words))}
          />
          <dl className={styles['facts']}>
            <div>
              <dt>Version</dt>
              <dd>{data.version}</dd>
            </div>
            <div>
              <dt>Running since</dt>
              <dd>
                <TimeText value={data.since} /> ({formatRelative(new Date(data.since))})
              </dd>
            </div>
            <div>
              <dt>Looked at</dt>
              <dd>
                <TimeText value={new Date(query.dataUpdatedAt).toISOString()} />
              </dd>
            </div>
          </dl>
          <FirstSteps checks={data.checks} />
          {data.instances && <InstancesTable instances={data.instances} />}
          <CheckList checks={data.checks} />
        </>
      )}
    </>
  );
}
