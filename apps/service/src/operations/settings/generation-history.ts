import type { Generation, LastApply, SettingsState } from '@kaptain/contract';
import { differences } from '../../base/config/settings/differences.ts';
import type { SavedGeneration } from '../../base/config/settings/generation-file.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { licenseSummary } from '../checks/license.ts';
import type { SettingsDeps } from './settings-deps.ts';

/** The state and the history of the settings, as shown beside the form. */
export function generationHistory({ settings, home, shared, restarts, licenseKey, clock }: SettingsDeps) {
  const { generations, began } = settings;

  function read(generation: number): SavedGeneration {
    const found = generations.read(generation);
    if (!found) throw new AppError('NOT_FOUND');
    return found;
  }

  function lastApply(newest: SavedGeneration): LastApply {
    const last = generations.numbers()[0] ?? 0;
    const mark = generations.mark(last);
    if (mark?.status === 'rejected')
      return { status: 'rolledBack', generation: last, at: mark.at, reason: mark.reason };
    const failure = restarts.lastFailure();
    // A failure before the last save says nothing about it.
    const failed = failure && failure.at >= newest.at ? failure : { at: newest.at, reason: null };
    if (newest.generation !== began.generation)
      return { status: 'waiting', generation: newest.generation, ...failed };
    if (failed.reason !== null) return { status: 'restartFailed', generation: last, ...failed };
    return { status: 'applied', generation: last, at: mark?.at ?? newest.at, reason: null };
  }

  function entry(generation: number, current: number): Generation[] {
    const saved = generations.read(generation);
    const mark = generations.mark(generation);
    if (!saved) return [];
    const { at, by, changed } = saved;
    return [
      {
        generation,
        at,
        by: by.username,
        changed: [...changed],
        // Another instance could start with it.
        status: mark?.status === 'failed' ? 'waiting' : (mark?.status ?? 'waiting'),
        reason: mark?.reason ?? null,
        isCurrent: generation === current,
      },
    ];
  }

  return {
    read,
    async state(): Promise<SettingsState> {
      const newest = await home.newest();
      return {
        generation: newest.generation,
        running: began.generation,
        isHttps: began.settings.settings.https,
        lastApply: lastApply(newest),
        license: licenseSummary(newest.settings.license.LICENSE_TEXT, licenseKey, clock()),
        ...(shared && {
          isDatabaseFixed: shared.isDatabaseFixed,
          instances: await shared.instances.list(),
        }),
      };
    },
    async list(): Promise<Generation[]> {
      const current = (await home.newest()).generation;
      return generations.numbers().flatMap((number) => entry(number, current));
    },
    difference: async (generation: number) => differences(await home.newest(), read(generation)),
  };
}
