import { ConnectionMode, emptyDb, emptyHosts, isUntouched, type SettingsUpdate } from '@kaptain/contract';

/** The names of the blocks that are there but untouched, e.g. `hosts.CERT`. */
export const untouchedBlocks = ({ hosts, db }: SettingsUpdate): string[] => [
  ...ConnectionMode.options
    .filter((mode) => isUntouched(hosts[mode] ?? { mode: 'absent' }, emptyHosts[mode]))
    .map((mode) => `hosts.${mode}`),
  ...(db && isUntouched(db, emptyDb) ? ['db'] : []),
];

/** As settings are kept: a block is there once it is used. */
export function withoutUntouched({ hosts, db, ...rest }: SettingsUpdate): SettingsUpdate {
  const untouched = untouchedBlocks({ hosts, db, ...rest });
  const used = Object.entries(hosts).filter(([mode]) => !untouched.includes(`hosts.${mode}`));
  return { ...rest, hosts: Object.fromEntries(used), ...(!untouched.includes('db') && { db }) };
}

/** As settings are shown: `db` and all four `hosts` are always there. */
export const withEmptyBlocks = (settings: SettingsUpdate) => ({
  ...settings,
  hosts: { ...emptyHosts, ...settings.hosts },
  db: settings.db ?? emptyDb,
});
