import { databaseOf, productAndServers } from '../../database/open-store.ts';
import type { KeptSettings } from '../settings.ts';
import type { SavedGeneration, SavedState } from './generation-file.ts';

/** Where these settings keep the data, and how the service is reached with them. */
export function described({ settings }: Pick<SavedState, 'settings'>, env: NodeJS.ProcessEnv): string {
  const db = databaseOf(settings, env);
  const server = db && productAndServers(db);
  const database = server ? `${server.product} on ${server.servers}` : 'the embedded database';
  return `${database}, ${settings.settings.https ? 'HTTPS' : 'HTTP'}`;
}

/** Leaves out the person who saved it: the support bundle has these sentences too and names no people. */
export const nameOf = ({ generation, at }: Pick<SavedGeneration, 'generation' | 'at'>): string =>
  generation === 0 ? 'the defaults' : `generation ${generation}, saved ${at}`;

/**
 * One sentence for each saved generation that is not in use: why, and what is used instead. They are shown wherever an
 * administrator looks.
 */
export function settingsNotices(
  { generations, began, warnings }: Pick<KeptSettings, 'generations' | 'began' | 'warnings'>,
  env: NodeJS.ProcessEnv,
): string[] {
  const newest = generations.numbers()[0] ?? 0;
  const mark = generations.mark(newest);
  if (newest === began.generation || !mark || mark.status === 'applied') return [...warnings];
  const saved = generations.read(newest, () => undefined);
  const name = saved ? nameOf(saved) : `generation ${newest}`;
  const reason = (mark.reason ?? 'The service could not start.').replace(/[^.!?]$/, '$&.');
  const instead = `${nameOf(began)} (${described(began, env)})`;
  // Those of a failed start stay the newest ones on the settings page, so that saving them unchanged stores nothing.
  const end =
    mark.status === 'rejected' ? ' To end this warning, submit the settings page, changed or unchanged.' : '';
  return [
    `The newest settings (${name}) are not used, because the service could not start with them: ${reason} It uses ${instead}.${end}`,
    ...warnings,
  ];
}
