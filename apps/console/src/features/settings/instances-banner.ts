import type { SettingsState } from '@kaptain/contract/settings/generations';
import { restartProgress } from '../../api/restart-progress.ts';

type State = Pick<SettingsState, 'generation' | 'lastApply' | 'instances'>;

/**
 * The same sentence whichever of several instances answers; undefined where each of them would say the same about itself.
 */
export function bannerOfInstances({ generation, lastApply, instances = [] }: State) {
  const live = instances.filter(({ isLive }) => isLive);
  if (live.length < 2 || lastApply.status === 'rolledBack') return undefined;
  const { done, all, isOver } = restartProgress(instances);
  if (!isOver)
    return {
      type: 'info',
      title: 'The instances restart one after the other',
      description: `${done} of ${all} have restarted.`,
      action: null,
    } as const;
  const failed = live.flatMap((each) => (each.failure ? [{ ...each, failure: each.failure }] : []));
  if (failed.length > 0) {
    const isSame = failed.every((each) => each.failure.generation === each.generation);
    return {
      type: 'warning',
      title: `The last ${isSame ? 'restart' : 'change of the settings'} failed on ${failed.map(({ name }) => name).join(', ')}`,
      description: failed
        .map((each) => `${each.failure.reason} ${each.name} goes on with version ${each.generation}.`)
        .join(' '),
    } as const;
  }
  const waiting = live.filter((each) => each.generation !== generation).length;
  if (waiting > 0)
    return {
      type: 'warning',
      title: 'The saved settings wait for a restart',
      description: `${waiting} of ${all} instances still run with the ones from before.`,
    } as const;
  return undefined;
}
