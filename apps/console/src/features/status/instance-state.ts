import type { ServiceInstance } from '@kaptain/contract/service-instance';

/** The state of an instance in a word for an administrator; `color` is that of its tag. */
interface InstanceState {
  label: string;
  color: 'success' | 'processing' | 'warning' | 'error';
  /** Why, where there is more to say. */
  reason?: string;
}

/** The newest values of the live instances. */
export interface Newest {
  version: string;
  generation: number;
}

const versions = new Intl.Collator('en', { numeric: true });

export function newestOf(instances: readonly ServiceInstance[]): Newest {
  const live = instances.filter(({ isLive }) => isLive);
  return {
    version:
      live
        .map(({ version }) => version)
        .toSorted(versions.compare)
        .at(-1) ?? '',
    generation: Math.max(0, ...live.map(({ generation }) => generation)),
  };
}

export function stateOf(instance: ServiceInstance, newest: Newest): InstanceState {
  const { isLive, isRestartDue, failure, generation, version } = instance;
  if (!isLive)
    return {
      label: 'Does not answer',
      color: 'error',
      reason: 'It was not stopped, but sends no heartbeats any more. A day later it leaves this list.',
    };
  if (failure) {
    const label = failure.generation === generation ? 'Restart failed' : 'Settings not applied';
    return { label, color: 'warning', reason: failure.reason };
  }
  if (isRestartDue)
    return { label: 'Restart pending', color: 'processing', reason: 'The instances restart one by one.' };
  if (generation < newest.generation)
    return { label: 'Earlier settings', color: 'warning', reason: 'Restart the service in the settings.' };
  if (version !== newest.version)
    return { label: 'Earlier version', color: 'warning', reason: 'Upgrade this instance.' };
  return { label: 'Running', color: 'success' };
}

/** One instance without a problem needs no list. */
export const isListWorthy = (instances: readonly ServiceInstance[]): boolean =>
  instances.length > 1 || instances.some((each) => stateOf(each, newestOf(instances)).color !== 'success');
