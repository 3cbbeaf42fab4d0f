import { foldText } from '@kaptain/contract/folding';

export { foldName, foldText } from '@kaptain/contract/folding';

/** The text that a search compares: key, user and every value at any depth, without field names. */
export function searchText(key: string, user: string, data: unknown): string {
  return searchable(`${key}\n${user}${linesOf(data)}`);
}

/** The part of one value in that text: no character changes how one behind a line end is folded. */
export const searchLines = (value: unknown): string => searchable(linesOf(value));

/** Folded, without characters that a database can't store. */
export function searchable(text: string): string {
  return foldText(text).replaceAll('\0', ' ').toWellFormed();
}

/** Each value behind a line end. Joined as text, because a list of the values took twice as long. */
function linesOf(value: unknown): string {
  if (typeof value === 'string') return `\n${value}`;
  if (typeof value === 'number' || typeof value === 'boolean') return `\n${String(value)}`;
  let lines = '';
  if (value !== null && typeof value === 'object')
    for (const entry of Object.values(value)) lines += linesOf(entry);
  return lines;
}
