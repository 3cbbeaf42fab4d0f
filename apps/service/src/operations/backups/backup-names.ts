import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The name of a scheduled backup has its time; files with other names are not ours to remove. */
const NAME = /^kaptain-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.backup$/;
/** The unfinished file of an interrupted backup: `writeBackup` adds its process to the name. */
const PART = /^kaptain-.+\.backup\.\d+\.part(-journal)?$/;
const PART_MS = 86_400_000;

export const backupName = (now: number): string =>
  `kaptain-${new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup`;

interface ScheduledBackup {
  name: string;
  at: number;
}

/** The scheduled backups of a folder, newest first. */
export function scheduledBackups(folder: string): ScheduledBackup[] {
  return namesIn(folder)
    .flatMap((name) => {
      const [, day, hour, minute, second] = NAME.exec(name) ?? [];
      return day ? [{ name, at: Date.parse(`${day}T${hour}:${minute}:${second}Z`) }] : [];
    })
    .sort((a, b) => b.at - a.at);
}

/** Removes all scheduled backups but the newest `keep`, and what interrupted ones have left; says what it removed. */
export function removeOld(folder: string, keep: number, now: number): string[] {
  const old = scheduledBackups(folder)
    .slice(keep)
    .map(({ name }) => name);
  const parts = namesIn(folder).filter(
    (name) => PART.test(name) && now - statSync(join(folder, name)).mtimeMs > PART_MS,
  );
  for (const name of [...old, ...parts]) rmSync(join(folder, name), { force: true });
  return old;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
