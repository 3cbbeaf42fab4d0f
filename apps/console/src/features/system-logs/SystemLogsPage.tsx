import type { LogKind } from '@kaptain/contract/system-logs';
import { App, Button, Select } from 'antd';
import { downloadLog, type LogFile, useInstanceNames, useLogFiles } from '../../api/system-logs.ts';
import { LogDrawer } from '../../shared/log-view/LogDrawer.tsx';
import { messageOf } from '../../shared/message-of.ts';
import { PageHeader } from '../../shared/PageHeader.tsx';
import { TableSkeleton } from '../../shared/PageSkeleton.tsx';
import { useDialog } from '../../shared/use-dialog.ts';
import { useUrlState } from '../../shared/use-url-state.ts';
import { useWords } from '../../variants/use-variant.ts';
import { LogFilesCard } from './LogFilesCard.tsx';
import { LogView } from './LogView.tsx';
import styles from './SystemLogs.module.css';

export function SystemLogsPage() {
  const { service } = useWords();
  const { message } = App.useApp();
  const { names, isPending } = useInstanceNames();
  const [{ instance: wanted }, setUrl] = useUrlState({ instance: '' });
  // Always a name where there are several: without one, each answer could be of another instance.
  const instance = names.includes(wanted) ? wanted : names[0];
  const query = useLogFiles(instance, { enabled: !isPending });
  const drawer = useDialog<LogFile>();
  const save = (file: LogFile) =>
    void downloadLog(file).catch((error: unknown) => message.error(messageOf(error)));
  // Spec 8: a failed load is an empty list, silently.
  const filesOf = (kind: LogKind): LogFile[] =>
    (query.isError ? [] : (query.data ?? [])).filter((file) => file.kind === kind);
  const file = drawer.about;
  const actions = { onView: drawer.open, onDownload: save };

  return (
    <>
      <PageHeader
        title="System Logs"
        description={`What ${service} writes down of its own work, in files that begin anew each day.`}
        actions={
          <>
            {instance !== undefined && (
              <Select
                aria-label="Instance"
                value={instance}
                options={names.map((value) => ({ value, label: value }))}
                onChange={(value) => setUrl({ instance: value })}
              />
            )}
            <Button loading={query.isRefetching} onClick={() => void query.refetch()}>
              Refresh
            </Button>
          </>
        }
      />
      {query.isPending ? (
        <TableSkeleton />
      ) : (
        <div className={styles['cards']}>
          <LogFilesCard
            title="System log"
            about="The service itself: start and stop, requests, the database."
            files={filesOf('sys')}
            {...actions}
          />
          <LogFilesCard
            title="App log"
            about="What users and jobs did."
            files={filesOf('app')}
            {...actions}
          />
        </div>
      )}
      {file && (
        <LogDrawer dialog={drawer} title={file.fileName} onDownload={() => save(file)}>
          <LogView key={`${file.kind} ${file.fileName}`} file={file} />
        </LogDrawer>
      )}
    </>
  );
}
