import type { ServiceInstance } from '@kaptain/contract/service-instance';

/** How many of the live instances have restarted. */
export interface RestartProgress {
  done: number;
  all: number;
  /** None is awaited: those that have not restarted failed to, and may try again for a minute. */
  isOver: boolean;
}

export function restartProgress(instances: readonly ServiceInstance[] = []): RestartProgress {
  const live = instances.filter(({ isLive }) => isLive);
  const due = live.filter(({ isRestartDue }) => isRestartDue === true);
  return {
    done: live.length - due.length,
    all: live.length,
    isOver: due.every(({ failure }) => failure !== null),
  };
}
