import { ConnectionMode, emptyDb, emptyHosts, isUntouched, type SettingsUpdate } from '@kaptain/contract';

/** The names of the blocks that exist but are empty, e.g. `hosts.CERT`. */
export const untouchedBlocks = ({ hosts, db }: SettingsUpdate): string[] => [
  ...ConnectionMode.options
    .filter((mode) => isUntouched(hosts[mode] ?? { mode: 'absent' }, emptyHosts[mode]))
    .map((mode) => `hosts.${mode}`),
  ...(db && isUntouched(db, emptyDb) ? ['db'] : []),
];

/** Settings as stored: without empty blocks. */
export function withoutUntouched({ hosts, db, ...rest }: SettingsUpdate): SettingsUpdate {
  const untouched = untouchedBlocks({ hosts, db, ...rest });
  const used = Object.entries(hosts).filter(([mode]) => !untouched.includes(`hosts.${mode}`));
  return { ...rest, hosts: Object.fromEntries(used), ...(!untouched.includes('db') && { db }) };
}

/** Settings as answered: always with `db` and all four `hosts`. */
export const withEmptyBlocks = (settings: SettingsUpdate) => ({
  ...settings,
  hosts: { ...emptyHosts, ...settings.hosts },
  db: settings.db ?? emptyDb,
});
