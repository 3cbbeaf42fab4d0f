import { InvalidTextError } from '../../errors.ts';
import type { GranuleInput } from '../../granules.ts';

/** A row to write: key, user, data as JSON text and, where the writer knows them, creation time and expected version. */
export type GranuleRow = [
  key: string,
  user: string,
  data: string,
  createdAt: string | null,
  version: number | null,
];

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export function toRow({ key, user, data, createdAt, version }: GranuleInput): GranuleRow {
  requireStorable(key, user);
  return [
    key,
    user,
    JSON.stringify(data),
    createdAt === undefined ? null : isoTime(createdAt),
    version ?? null,
  ];
}

export function requireStorable(key: string, user: string): void {
  if (!isStorable(key)) throw new InvalidTextError('key');
  if (!isStorable(user)) throw new InvalidTextError('user');
}

const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** Returns every time in one form, so that times sort as text. */
function isoTime(text: string): string {
  if (ISO_TIME.test(text)) return text;
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw new RangeError(`${text} is no time.`);
  return time.toISOString();
}
