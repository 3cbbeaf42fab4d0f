import type { Store } from '@kaptain/store';
import { audit } from '../../base/audit/audit.ts';
import { INSTANCE_LIVE_MS } from '../tuning.ts';
import { actor, host, type Result } from './commands.ts';

/** Removes the settings that instances share in the database; without their pepper they can't be decrypted. */
export const forgetSettings = (store: Store): Promise<Result> =>
  store.transaction(async (unit) => {
    const since = new Date(Date.now() - INSTANCE_LIVE_MS).toISOString();
    const live = (await unit.serviceInstances.all()).filter(({ seenAt }) => seenAt > since);
    if (live.length > 0) {
      const names = live.map(({ name }) => name).join(', ');
      return { isDone: false, message: `Stop all instances first; seen in the last minute: ${names}.` };
    }
    for (const noun of [unit.settingsGenerations, unit.settingsFiles])
      await noun.removeMany((await noun.all()).map(({ id }) => id));
    const target = { noun: 'settings', id: 'shared', name: 'Settings of all instances' };
    await audit(unit, host, Date.now(), { action: 'settings.forget', actor, target });
    return {
      isDone: true,
      message:
        'The database has no settings any more; the next instance that starts stores those of its data folder.',
    };
  });
