import type { LogEntry } from '@kaptain/contract/logs';
import { App, Button } from 'antd';
import { useEffect, useEffectEvent } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useEndedReloads } from '../api/started-reloads.ts';

const LOGS = '/system/logs';

const outcomes = {
  succeeded: ['success', 'has succeeded'],
  failed: ['error', 'has failed'],
  cancelled: ['info', 'was cancelled'],
} as const;
const outcomeOf = ({ status }: LogEntry) =>
  outcomes[status === 'failed' || status === 'cancelled' ? status : 'succeeded'];

/** Tells the end of a reload that this user has started, unless they are looking at the logs. */
export function ReloadNotices(): null {
  const { notification } = App.useApp();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const { ended, forget } = useEndedReloads();

  const tell = useEffectEvent(() => {
    forget(ended.map(({ _id }) => _id));
    if (pathname === LOGS) return;
    for (const entry of ended) {
      const { _id, name, failReason } = entry;
      const [kind, words] = outcomeOf(entry);
      const look = () => {
        notification.destroy(_id);
        void navigate(`${LOGS}?open=${encodeURIComponent(_id)}`);
      };
      notification[kind]({
        key: _id,
        title: `${name} ${words}`,
        description: failReason,
        actions: (
          <Button size="small" onClick={look}>
            Show in the logs
          </Button>
        ),
        duration: kind === 'error' ? 0 : 8,
      });
    }
  });
  const isNews = ended.length > 0;
  useEffect(() => {
    if (isNews) tell();
  }, [isNews]);
  return null;
}
