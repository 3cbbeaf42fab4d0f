import { nullable, shape, text, whole } from './checks.ts';
import { noun, type Stored } from './noun.ts';

/** One saved state of the settings of all instances on a database. */
export interface SettingsGenerationRecord extends Stored {
  generation: number;
  at: string;
  /** The saved generation as encrypted JSON, without the values that are local to an instance. */
  sealed: string;
  /** When an instance first became ready with it: after that it is never taken back for all. */
  appliedAt: string | null;
  /** The first instance that tried it could not start with it: every instance goes on with the one before. */
  rejected: { at: string; reason: string } | null;
}

export const settingsGenerations = noun<SettingsGenerationRecord>({
  name: 'settingsGenerations',
  fields: {
    generation: whole,
    at: text,
    sealed: text,
    appliedAt: nullable(text),
    rejected: nullable(shape({ at: text, reason: text })),
  },
  unique: ['generation'],
  indexes: [],
});
