import type { LastApply } from '@kaptain/contract/settings/generations';
import type { SettingsInfo } from '@kaptain/contract/settings/settings';
import { Alert, Button } from 'antd';
import { TimeText } from '../../shared/TimeText.tsx';
import styles from './Settings.module.css';
import type { Apply } from './use-apply.ts';

interface Props {
  lastApply: LastApply;
  info: SettingsInfo;
  apply: Apply;
}

/** What became of the last save or restart: rolled back or failed, with the reason, or waiting for a restart. */
export function ApplyBanner({ lastApply: { status, generation, at, reason }, info, apply }: Props) {
  if (status === 'applied') return null;
  if (status === 'rolledBack')
    return (
      <Alert
        className={styles['banner'] ?? ''}
        type="error"
        showIcon
        title="The last change of the settings was rolled back"
        description={
          <>
            {reason ?? 'The service could not start with it.'} The service runs with the settings from before;
            version {generation} was given up at <TimeText value={at} />.
          </>
        }
      />
    );
  const restart = (
    <Button loading={apply.phase !== 'idle'} onClick={() => void apply.run(info.settings['https'] === true)}>
      Restart now
    </Button>
  );
  if (status === 'restartFailed')
    return (
      <Alert
        className={styles['banner'] ?? ''}
        type="error"
        showIcon
        title="The last restart failed"
        description={
          <>
            {reason} That was at <TimeText value={at} />; the service goes on with the same settings.
          </>
        }
        action={restart}
      />
    );
  return (
    <Alert
      className={styles['banner'] ?? ''}
      type="warning"
      showIcon
      title="The saved settings wait for a restart"
      description={`${reason === null ? '' : `The last restart failed: ${reason} `}The service still runs with the ones from before.`}
      action={restart}
    />
  );
}
