import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { LogFileInfo, LogKind } from '@kaptain/contract';
import { historyFile, logFileName } from './create-logs.ts';
import { openFile } from './open-file.ts';

const kinds = { sys: 'system', app: 'app' } as const;
const ROTATED = /^(?:system|app)-(\d{4}-\d\d-\d\d)-(\d{1,6})\.log$/;

async function rotatedNames(folder: string, kind: 'system' | 'app'): Promise<string[]> {
  const book = await readFile(join(folder, historyFile(kind)), 'utf8').catch(() => '');
  const names = book.split('\n').map((path) => basename(path.trim()));
  return [...new Set(names)].filter((name) => name.startsWith(`${kind}-`) && ROTATED.test(name));
}

const byAge = (a: string, b: string): number => {
  const [, dayA = '', numberA = ''] = ROTATED.exec(a) ?? [];
  const [, dayB = '', numberB = ''] = ROTATED.exec(b) ?? [];
  return dayB.localeCompare(dayA) || Number(numberB) - Number(numberA);
};

/** The existing log files that this service has written, newest first. */
export async function logFilesOf(folder: string, kind: LogKind): Promise<LogFileInfo[]> {
  const name = kinds[kind];
  // By our own list of rotated files: other files in the folder are ignored.
  const rotated = (await rotatedNames(folder, name)).sort(byAge);
  const found: LogFileInfo[] = [];
  for (const candidate of [logFileName(name)(null), ...rotated]) {
    await using file = await openFile(folder, candidate);
    if (!file) continue;
    const updatedAt = new Date(file.writtenAt).toISOString();
    found.push({ kind, fileName: candidate, bytes: file.size, updatedAt });
  }
  return found;
}

export const logFileNames = async (folder: string, kind: LogKind): Promise<string[]> =>
  (await logFilesOf(folder, kind)).map(({ fileName }) => fileName);
