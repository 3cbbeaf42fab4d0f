import { isDeepStrictEqual } from 'node:util';
import { KapFile, type KapsuleStructure } from '@kaptain/contract';
import { fieldTypes } from '@kaptain/contract/fields';
import { KAP_WITH_RULES } from '@kaptain/contract/kap-fields';
import type { Lock } from '@kaptain/contract/locks';
import type { KapsuleRecord } from '@kaptain/store';
import { AppError } from '../../base/errors/app-error.ts';
import { check } from '../../http/server/validate.ts';
import { travels } from '../locks/travelling-locks.ts';

const DEEPEST = 32;
const notKap = () => new AppError('BAD_INPUT', 'This is not a .kap file.');

/** Refuses deep nesting before parsing, which could overflow the stack. */
function requireShallow(text: string): void {
  let depth = 0;
  let isInText = false;
  for (let index = 0; index < text.length; index++) {
    const sign = text[index];
    if (isInText) {
      if (sign === '\\') index++;
      else if (sign === '"') isInText = false;
    } else if (sign === '"') isInText = true;
    else if (sign === '{' || sign === '[') depth++;
    else if (sign === '}' || sign === ']') depth--;
    if (depth > DEEPEST) throw new AppError('BAD_INPUT', 'This .kap file is nested too deeply.');
  }
}

/** Unknown keys are ignored, but __proto__ and the like are refused. */
const refusePrototypes = (key: string, value: unknown): unknown => {
  if (key === '__proto__') throw new AppError('BAD_INPUT', 'This .kap file has the key __proto__.');
  return value;
};

/** What a .kap file holds. */
interface KapContent {
  version: KapFile['version'];
  structure: KapsuleStructure;
  /** Files before version 3 say nothing of locks. */
  locks?: Lock[];
}

/** The structure in a .kap file; anything else is refused with a message for the user. */
export function parseKap(bytes: Buffer): KapContent {
  let content: unknown;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    requireShallow(text);
    content = JSON.parse(text, refusePrototypes);
  } catch (error) {
    throw error instanceof AppError ? error : notKap();
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) throw notKap();
  const { version, kapsule } = check(KapFile, content) as KapFile;
  const { locks = [], ...structure } = kapsule;
  return { version, structure, ...(version >= WITH_LOCKS && { locks }) };
}

type NewField = KapsuleStructure['fields'][number];

/** The version of files with locks. */
const WITH_LOCKS = 3;

const forEarlier = ({ name, type }: NewField): NewField => ({
  name,
  type: fieldTypes[type].earlier ?? type,
});

/** Whether earlier versions of the service know all of this field. */
const isEarlier = (field: NewField): boolean => isDeepStrictEqual(definedIn(field), forEarlier(field));

const definedIn = (field: NewField) =>
  Object.fromEntries(Object.entries(field).filter(([, value]) => value !== undefined));

/** Only the structure: data, owner, ids, and locks that name groups or people are not exported. */
export function formatKap(
  { name, table, keyField, database, tableName, fields, locks: all }: KapsuleRecord,
  now: number,
  isForEarlier = false,
): string {
  const own = fields.map(({ _id, ...field }) => field);
  const written = isForEarlier ? own.map(forEarlier) : own;
  const locks = isForEarlier ? [] : (all ?? []).filter(travels);
  const hasLocks = locks.length > 0;
  const kapsule = { name, table, keyField, database, tableName, fields: written, ...(hasLocks && { locks }) };
  const version = hasLocks ? WITH_LOCKS : written.every(isEarlier) ? 1 : KAP_WITH_RULES;
  const file = { format: 'kap', version, exportedAt: new Date(now).toISOString(), kapsule };
  return `${JSON.stringify(file, null, 2)}\n`;
}
