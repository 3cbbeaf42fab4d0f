import { pathOf } from '@kaptain/contract/client';
import { type LogEntry, logs } from '@kaptain/contract/logs';
import { Alert, App, Progress } from 'antd';
import { downloadInNewWindow } from '../../api/downloads.ts';
import { isUnderWay } from '../../api/logs.ts';
import { LogDrawer } from '../../shared/log-view/LogDrawer.tsx';
import { messageOf } from '../../shared/message-of.ts';
import { RunStatus } from '../../shared/RunStatus.tsx';
import type { Dialog } from '../../shared/use-dialog.ts';
import styles from './ScriptLog.module.css';
import { ScriptLogView } from './ScriptLogView.tsx';

/** The progress of a run: the platform writes the script log when the run has ended. */
function RunProgress({ entry }: { entry: LogEntry }) {
  const { name, progress, progressText, status } = entry;
  const percent = typeof progress === 'number' ? Math.min(99, Math.floor(progress * 100)) : 0;
  return (
    <div className={styles['progress']} role="status">
      <Progress percent={percent} status="active" aria-label={`Progress of ${name}`} />
      <p>{status === 'queued' ? 'Waits for its turn.' : (progressText ?? 'Runs.')}</p>
      <p>The script log appears here when the run has ended.</p>
    </div>
  );
}

/** The script log of a run in place, or its progress while it runs. */
export function ScriptLogDrawer({ dialog, entry }: { dialog: Dialog<LogEntry>; entry: LogEntry }) {
  const { message } = App.useApp();
  const { _id: id, name, failReason, qScriptLogFile } = entry;
  const save = () =>
    void downloadInNewWindow(pathOf(logs.download, { params: { id } })).catch((error: unknown) =>
      message.error(messageOf(error)),
    );
  return (
    <LogDrawer dialog={dialog} title={name} onDownload={qScriptLogFile ? save : undefined}>
      {!isUnderWay(entry) && (
        <div>
          <RunStatus entry={entry} />
        </div>
      )}
      {failReason && !isUnderWay(entry) && <Alert type="error" showIcon title={failReason} />}
      {isUnderWay(entry) && <RunProgress entry={entry} />}
      {!isUnderWay(entry) && qScriptLogFile && <ScriptLogView key={id} entry={entry} />}
      {!isUnderWay(entry) && !qScriptLogFile && <p>This run has no script log.</p>}
    </LogDrawer>
  );
}
