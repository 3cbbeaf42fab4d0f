import { DataSourceType, type SettingsUpdate } from '@kaptain/contract';
import { dataSourceNames } from '@kaptain/contract/data-source-names';
import { type Check, error, type Finding, ok, warning } from './check.ts';
import type { ConnectionTesters } from './connection-testers.ts';

async function tried(connect: () => Promise<void>): Promise<Finding> {
  const since = performance.now();
  try {
    await connect();
  } catch (failure) {
    // Messages of our own packages are written for users; those of drivers may contain secrets.
    const isOurs = failure instanceof Error && 'category' in failure;
    return error(isOurs ? failure.message : 'The connection failed: test it on the settings page.');
  }
  return ok(`Connected in ${Math.max(1, Math.round(performance.now() - since))} ms.`);
}

/** One check per data source of the settings. */
export const dataSourceChecks = (settings: SettingsUpdate, testers: ConnectionTesters): Check[] =>
  DataSourceType.options
    .filter((type) => settings[type] !== undefined)
    .map((type) => ({
      name: dataSourceNames[type],
      check: () => tried(() => testers[type](settings)),
    }));

export const platformCheck = (settings: SettingsUpdate, testers: ConnectionTesters): Check => ({
  name: 'Platform',
  async check() {
    const { qlikHost } = settings.settings;
    if (qlikHost !== 'DESKTOP' && settings.hosts[qlikHost] === undefined)
      return warning('No platform is connected, so nothing can be reloaded: enter one in the settings.');
    return tried(() => testers.platform(settings));
  },
});
