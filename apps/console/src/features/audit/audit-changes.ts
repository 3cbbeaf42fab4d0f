import type { AuditEntry } from '@kaptain/contract/audit';

export interface Shown {
  text: string;
  /** The other side has the same text. */
  isSame: boolean;
}
interface Change {
  field: string;
  before: Shown[];
  after: Shown[];
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return JSON.stringify(value, null, 2);
}

/** One line for a single value, one for each member of a list, none for an empty value. */
function linesOf(value: unknown): string[] {
  if (value === undefined || value === null || value === '') return [];
  return Array.isArray(value) ? value.map(textOf) : [textOf(value)];
}

const compared = (lines: readonly string[], others: readonly string[]): Shown[] =>
  lines.map((text) => ({ text, isSame: others.includes(text) }));

/** The changes of an entry, field by field. */
export function changesOf({ before, after }: Pick<AuditEntry, 'before' | 'after'>): Change[] {
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return Array.from(fields, (field) => {
    const [old, now] = [linesOf(before?.[field]), linesOf(after?.[field])];
    return { field, before: compared(old, now), after: compared(now, old) };
  });
}
