import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readBootConfig } from '../../base/config/boot-config.ts';
import { changedFieldNames } from '../../base/config/settings/differences.ts';
import { type Generations, nothingSaved } from '../../base/config/settings/generations.ts';
import { described, nameOf } from '../../base/config/settings/notices.ts';
import { readGeneration } from '../../base/config/settings/starting-generation.ts';
import { settingsGenerations } from '../../base/config/settings.ts';
import { ConfigError } from '../../base/errors/config-error.ts';
import { actor, type Result } from './commands.ts';

/** The saved settings of the data folder, also when the service can't start with them. */
function savedIn(env: NodeJS.ProcessEnv): Generations {
  const { dataDir } = readBootConfig(env);
  if (existsSync(join(dataDir, 'settings'))) return settingsGenerations({ dataDir });
  throw new ConfigError(
    `No settings were saved in ${dataDir}: set KAPTAIN_DATA_DIR to the data folder of the service.`,
  );
}

const states = { applied: 'applied', rejected: 'NOT USABLE', failed: 'NOT USABLE' } as const;

/** One line for each saved generation, newest first: never values of single fields. */
export async function listSettings(env: NodeJS.ProcessEnv): Promise<Result> {
  const generations = savedIn(env);
  const lines = generations.numbers().map((number) => {
    const saved = generations.read(number, () => undefined);
    if (!saved) return `generation ${number}: DAMAGED`;
    const mark = generations.mark(number);
    const state = mark ? states[mark.status] : 'never applied';
    const reason = mark?.reason ? ` (${mark.reason})` : '';
    return `${nameOf(saved)} by ${saved.by.username ?? 'the host'}: ${described(saved, {})}; ${state}${reason}`;
  });
  const defaults = `generation 0, the defaults: ${described(nothingSaved(), {})}`;
  return { isDone: true, message: [...lines, defaults].join('\n') };
}

/** Saves the settings of a generation again, as the newest ones; the next start uses them and writes the audit entry. */
export async function useSettings(env: NodeJS.ProcessEnv, number: string): Promise<Result> {
  const generations = savedIn(env);
  const chosen = /^\d{1,9}$/.test(number) ? readGeneration(generations, Number(number)) : undefined;
  if (!chosen)
    return {
      isDone: false,
      message: `There is no generation ${number} that can be read: see settings list.`,
    };
  const [newest] = generations.numbers();
  const before = (newest === undefined ? undefined : generations.read(newest)) ?? nothingSaved();
  const saved = generations.add({
    at: new Date().toISOString(),
    by: { action: 'settings.returnTo', userId: actor.id, username: null, ip: '', requestId: 'host' },
    changed: changedFieldNames(before, chosen),
    files: chosen.files,
    settings: chosen.settings,
  });
  if (!saved) return { isDone: false, message: 'Other settings were saved at the same time; try again.' };
  return {
    isDone: true,
    message: `Generation ${saved.generation} has the settings of generation ${chosen.generation}: ${described(saved, env)}. Start the service, or restart it, to use them.`,
  };
}
