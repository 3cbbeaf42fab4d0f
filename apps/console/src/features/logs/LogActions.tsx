import { DownloadOutlined, EyeOutlined, RedoOutlined, StopOutlined } from '@ant-design/icons';
import { pathOf } from '@kaptain/contract/client';
import { type LogEntry, logs } from '@kaptain/contract/logs';
import { App } from 'antd';
import { downloadInNewWindow } from '../../api/downloads.ts';
import { isUnderWay, useCancelJob, useRerunJob } from '../../api/logs.ts';
import { IconAction } from '../../shared/IconAction.tsx';
import { messageOf } from '../../shared/message-of.ts';
import { RowActions } from '../../shared/RowActions.tsx';
import { useConfirm } from '../../shared/use-confirm.tsx';

interface Props {
  entry: LogEntry;
  /** Whether this user may start and cancel runs, and this service has the calls. */
  mayRun: boolean;
  /** Opens the script log; undefined for a service without that call. */
  onRead: ((entry: LogEntry) => void) | undefined;
}

export function LogActions({ entry, mayRun, onRead }: Props) {
  const { _id, name, appId, qScriptLogFile } = entry;
  const { message } = App.useApp();
  const confirm = useConfirm();
  const rerun = useRerunJob();
  const cancel = useCancelJob();
  const say = (error: unknown) => void message.error(messageOf(error));

  return (
    <RowActions of={name}>
      {onRead && (qScriptLogFile || isUnderWay(entry)) && (
        <IconAction
          title={isUnderWay(entry) ? 'Watch progress' : 'Read script log'}
          label={isUnderWay(entry) ? `Watch the progress of ${name}` : `Read the script log of ${name}`}
          icon={<EyeOutlined />}
          onClick={() => onRead(entry)}
        />
      )}
      {qScriptLogFile && (
        <IconAction
          title="Download ScriptLogFile"
          label={`Download ScriptLogFile of ${name}`}
          icon={<DownloadOutlined />}
          // Spec 2: the download opens in a new window.
          onClick={() => void downloadInNewWindow(pathOf(logs.download, { params: { id: _id } })).catch(say)}
        />
      )}
      {mayRun && isUnderWay(entry) && (
        <IconAction
          title="Cancel"
          label={`Cancel ${name}`}
          icon={<StopOutlined />}
          danger
          onClick={() =>
            confirm({
              title: `Are you sure to cancel ${name}?`,
              content: 'What it has done so far is thrown away; the app keeps the data it had before.',
              yes: 'Cancel the reload',
              no: 'Keep it running',
              done: `${name} is being cancelled.`,
              run: () => cancel.mutateAsync(_id),
            })
          }
        />
      )}
      {mayRun && !isUnderWay(entry) && (
        <IconAction
          title="Run again"
          label={`Run ${name} again`}
          icon={<RedoOutlined />}
          blockedBy={appId ? undefined : 'It is not known which app this was.'}
          onClick={() =>
            rerun.mutate(_id, {
              onSuccess: () => void message.success(`${name} is queued.`),
              onError: say,
            })
          }
        />
      )}
    </RowActions>
  );
}
