import { App } from 'antd';
import { useState } from 'react';
import {
  addressAfter,
  restartService,
  waitForInstances,
  waitForMove,
  waitForService,
} from '../../api/restart.ts';
import type { RestartProgress } from '../../api/restart-progress.ts';
import { messageOf } from '../../shared/message-of.ts';

/** The text of Spec 8, to the letter. */
const SAVED =
  'Saved successfully, the service is restarting... The page will automatically refresh after 3 seconds.';

type Phase = 'idle' | 'restarting' | 'silent';

export interface Apply {
  phase: Phase;
  /** While several instances restart one after the other. */
  progress?: RestartProgress | undefined;
  /** Restarts the service with the saved settings and reloads the page when it answers again. */
  run: (httpsAfter: boolean) => Promise<void>;
}

/**
 * After a save: restarts, waits, and reloads the page, at the new address if `isHttps`, what the service serves now, changes.
 * After a refused restart `onReload` fetches the settings again.
 */
export function useApply(isHttps: boolean, onReload: () => void): Apply {
  const { message } = App.useApp();
  const [phase, setPhase] = useState<Phase>('idle');
  const [progress, setProgress] = useState<RestartProgress>();

  const run = async (httpsAfter: boolean) => {
    setPhase('restarting');
    void message.success(SAVED, 6);
    try {
      await restartService();
    } catch (error) {
      void message.warning(`Saved, but the restart was refused: ${messageOf(error)}`, 8);
      setPhase('idle');
      onReload();
      return;
    }
    const moved = addressAfter(isHttps, httpsAfter, location.href);
    if (moved !== undefined && (await waitForMove(moved))) location.replace(moved);
    else if (await waitForService(moved === undefined ? {} : { firstMs: 0 })) {
      await waitForInstances(setProgress);
      location.reload();
    } else setPhase('silent');
  };
  return { phase, progress, run };
}
