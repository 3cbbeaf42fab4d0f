import { nullable, oneOf, text, whole } from './checks.ts';
import { noun, type Stored } from './noun.ts';

/** One document for all instances on a database: the restart of all, one instance after the other. */
export interface RolloutRecord extends Stored {
  singleton: 'rollout';
  /** The newest saved generation of the settings, with those that were taken back. */
  generation: number;
  /** How many restarts of all instances were requested. */
  restart: number;
  restartAskedAt: string | null;
  /** The lease: the instance that restarts now. */
  holder: string | null;
}

export const rollout = noun<RolloutRecord>({
  name: 'rollout',
  fields: {
    singleton: oneOf('rollout'),
    generation: whole,
    restart: whole,
    restartAskedAt: nullable(text),
    holder: nullable(text),
  },
  unique: ['singleton'],
  indexes: [],
});
