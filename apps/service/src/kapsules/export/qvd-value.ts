import type { FieldType } from '@kaptain/contract';
import type { NewValue, QvdColumnType } from '@kaptain/qvd';

const types: Record<FieldType, QvdColumnType> = {
  text: 'text',
  number: 'number',
  boolean: 'integer',
  date: 'date',
  timestamp: 'timestamp',
  list: 'text',
  thread: 'text',
};

export const qvdType = (type: FieldType): QvdColumnType => types[type];

/** In Qlik, true is -1. */
const truth = (value: boolean): NewValue => ({ number: value ? -1 : 0, text: String(value) });

/** A stored value as a cell. QVD has local times without a zone; granules have UTC. */
export function qvdValue(value: unknown, type: FieldType): NewValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return truth(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const allowed = text.includes('\0') ? text.replaceAll('\0', '') : text;
  return type === 'timestamp' && allowed.endsWith('Z') ? allowed.slice(0, -1) : allowed;
}
