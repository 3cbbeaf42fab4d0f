import type { Store } from '@kaptain/store';
import { ownCommand } from '../../base/config/own-command.ts';
import { isFromFuture } from '../../base/time/clock.ts';
import { DAY_MS } from '../../base/time/durations.ts';
import { type Check, ok, warning } from './check.ts';

const OLD_DAYS = 7;
const HOW = `Turn backups on in the settings, or run “${ownCommand} backup FILE” on the host.`;

/** The audit trail has the time of each backup by the command line; backups of a database server are unknown here. */
export const backupCheck = ({ audit }: Store, now: number): Check => ({
  name: 'Last backup',
  async check() {
    const [last] = await audit.recent({ where: { action: 'backup.create' }, limit: 1 });
    if (!last) return warning(`None has been made yet. ${HOW}`);
    if (isFromFuture(last.at, now))
      return warning(`The clock was ahead when it was made, so its age is not known. ${HOW}`, last.at);
    const days = Math.floor((now - Date.parse(last.at)) / DAY_MS);
    return days >= OLD_DAYS ? warning(`It is ${days} days old. ${HOW}`, last.at) : ok('It was made', last.at);
  },
});
