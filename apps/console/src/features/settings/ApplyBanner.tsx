import type { SettingsState } from '@kaptain/contract/settings/generations';
import type { SettingsInfo } from '@kaptain/contract/settings/settings';
import { Alert, Button } from 'antd';
import { TimeText } from '../../shared/TimeText.tsx';
import { bannerOfInstances } from './instances-banner.ts';
import styles from './Settings.module.css';
import type { Apply } from './use-apply.ts';

interface Props {
  state: Pick<SettingsState, 'generation' | 'lastApply' | 'instances'>;
  info: SettingsInfo;
  apply: Apply;
}

/** The result of the last save or restart: rolled back or failed, with the reason, or waiting for a restart. */
function bannerOf({ lastApply: { status, generation, at, reason } }: Props['state']) {
  switch (status) {
    case 'applied':
      return undefined;
    case 'rolledBack':
      return {
        type: 'error',
        title: 'The last change of the settings was rolled back',
        description: (
          <>
            {reason ?? 'The service could not start with it.'} The service runs with the settings from before;
            version {generation} was given up at <TimeText value={at} />. To try again, correct the settings
            and submit them. To keep those from before, submit them without a change.
          </>
        ),
        action: null,
      } as const;
    case 'restartFailed':
      return {
        type: 'error',
        title: 'The last restart failed',
        description: (
          <>
            {reason} The service goes on with the same settings. Tried at <TimeText value={at} />
          </>
        ),
      } as const;
    case 'waiting':
      return {
        type: 'warning',
        title: 'The saved settings wait for a restart',
        description: `${reason === null ? '' : `The last restart failed: ${reason} `}The service still runs with the ones from before.`,
      } as const;
  }
}

export function ApplyBanner({ state, info, apply }: Props) {
  const banner = bannerOfInstances(state) ?? bannerOf(state);
  if (!banner) return null;
  const restart = (
    <Button loading={apply.phase !== 'idle'} onClick={() => void apply.run(info.settings['https'] === true)}>
      Restart now
    </Button>
  );
  return <Alert className={styles['banner'] ?? ''} showIcon action={restart} {...banner} />;
}
