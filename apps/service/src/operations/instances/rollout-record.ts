import type { Nouns, RolloutRecord } from '@kaptain/store';

const fresh = {
  singleton: 'rollout',
  generation: 0,
  restart: 0,
  restartAskedAt: null,
  holder: null,
} as const;

/** The one document of the rollout; inside a unit of work it is created when it is missing. */
export async function rolloutIn(unit: Nouns): Promise<RolloutRecord> {
  const [record] = await unit.rollout.all();
  return record ?? unit.rollout.insert(fresh);
}
