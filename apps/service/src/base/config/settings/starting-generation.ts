import { ConfigError, SettingsError } from '../../errors/config-error.ts';
import { ownCommand } from '../own-command.ts';
import type { SavedGeneration } from './generation-file.ts';
import { type Generations, nothingSaved } from './generations.ts';

const OTHERS = `choose other settings: ${ownCommand} settings list shows them, ${ownCommand} settings use <generation> takes one (0: the defaults).`;

/** The generations with which the service just failed to start, newest first. */
export interface Failed {
  generations: readonly number[];
  /** Whether the service has run with the settings before them, since its supervisor was started. */
  hasRunBefore: boolean;
}

/**
 * The settings to start with: the newest ones. Others may name another database, or no HTTPS, so the service uses them
 * only when it has never run with the newest ones, and has run with earlier ones. It goes down one by one to these.
 */
export function startingGeneration(generations: Generations, failed?: Failed): SavedGeneration {
  const tried = failed?.generations ?? [];
  const began = generations.newest(tried);
  const applied = generations.applied();
  const lost = applied.find((number) => number > began.generation && !tried.includes(number));
  if (lost !== undefined)
    throw new SettingsError(
      `The settings of generation ${lost}, with which the service has run, are damaged or gone: restore ${generations.fileOf(lost)} from a backup, or ${OTHERS}`,
    );
  const lowest = Math.min(...tried);
  if (failed && !failed.hasRunBefore && !applied.some((number) => number < lowest))
    throw new ConfigError(
      `These are the settings of generation ${lowest}, and there are no saved ones before them with which the service has run: correct the cause and start again, or ${OTHERS}`,
    );
  return began;
}

/** The settings of a generation; 0 is the defaults. Undefined when there is no such file, or it is damaged. */
export const readGeneration = (generations: Generations, generation: number): SavedGeneration | undefined =>
  generation === 0 ? nothingSaved() : generations.read(generation);
