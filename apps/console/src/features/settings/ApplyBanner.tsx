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

/** The state of the last save: rolled back, with the reason, or waiting for its restart. */
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
  return (
    <Alert
      className={styles['banner'] ?? ''}
      type="warning"
      showIcon
      title="The saved settings wait for a restart"
      description="The service still runs with the ones from before."
      action={
        <Button
          loading={apply.phase !== 'idle'}
          onClick={() => void apply.run(info.settings['https'] === true)}
        >
          Restart now
        </Button>
      }
    />
  );
}
