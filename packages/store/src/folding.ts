import { foldText } from '@kaptain/contract/folding';

export { foldName, foldText } from '@kaptain/contract/folding';

/** The text that a search compares: key, user and every value at any depth, without field names. */
export function searchText(key: string, user: string, data: unknown): string {
  const parts: string[] = [key, user];
  collect(data, parts);
  return searchable(parts.join('\n'));
}

/** Folded, without characters that a database can't store. */
export function searchable(text: string): string {
  return foldText(text).replaceAll('\0', ' ').toWellFormed();
}

function collect(value: unknown, parts: string[]): void {
  if (typeof value === 'string') parts.push(value);
  else if (typeof value === 'number' || typeof value === 'boolean') parts.push(String(value));
  else if (value !== null && typeof value === 'object') {
    for (const entry of Object.values(value)) collect(entry, parts);
  }
}
