import { type Check, ok, warning } from './check.ts';

/** An instance on the same database. */
export interface CheckedInstance {
  name: string;
  version: string;
  generation: number;
  seenAt: string;
  isLive: boolean;
  /** It has still to restart for the last restart of all. */
  isRestartDue?: boolean | undefined;
  failure: { generation: number; reason: string } | null;
}

const several = (values: Iterable<unknown>): boolean => new Set(values).size > 1;

/** The problems of the instances as sentences; undefined without any. */
function problemOf(instances: readonly CheckedInstance[]): string | undefined {
  const live = instances.filter(({ isLive }) => isLive);
  const told = live.flatMap(({ name, failure }) =>
    failure
      ? [`${name} could not apply version ${failure.generation} of the settings: ${failure.reason}`]
      : [],
  );
  const each = (value: (instance: CheckedInstance) => unknown) =>
    live.map((instance) => `${instance.name}: ${String(value(instance))}`).join(', ');
  const isRestarting = live.some(({ isRestartDue }) => isRestartDue);
  if (told.length === 0 && !isRestarting && several(live.map(({ generation }) => generation)))
    told.push(
      `The instances run with different settings (version at ${each(({ generation }) => generation)}). Restart them.`,
    );
  if (several(live.map(({ version }) => version)))
    told.push(
      `The instances have different versions (${each(({ version }) => version)}). Upgrade the others.`,
    );
  for (const { name } of instances.filter(({ isLive }) => !isLive))
    told.push(`${name} was not stopped, but does not answer any more.`);
  return told.length > 0 ? told.join(' ') : undefined;
}

/** Whether all instances on the database run the same version of the service with the same settings. */
export const instancesCheck = (list: () => Promise<readonly CheckedInstance[]>): Check => ({
  name: 'Instances',
  async check() {
    const instances = await list();
    const problem = problemOf(instances);
    if (problem !== undefined) {
      const gone = instances.filter(({ isLive }) => !isLive).map(({ seenAt }) => seenAt);
      return warning(problem, gone.toSorted().at(-1));
    }
    const due = instances.filter(({ isLive, isRestartDue }) => isLive && isRestartDue).length;
    if (due > 0)
      return ok(
        `The instances restart one after the other: ${instances.length - due} of ${instances.length} have restarted.`,
      );
    const count = instances.length === 1 ? 'One instance uses' : `${instances.length} instances use`;
    return ok(`${count} this database, with the same version and settings.`);
  },
});
