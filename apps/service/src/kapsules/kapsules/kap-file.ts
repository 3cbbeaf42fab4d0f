import { KapFile, type KapsuleStructure } from '@kaptain/contract';
import type { KapsuleRecord } from '@kaptain/store';
import { AppError } from '../../base/errors/app-error.ts';
import { check } from '../../http/server/validate.ts';

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

/** The structure in a .kap file; anything else is refused with a message for the user. */
export function parseKap(bytes: Buffer): KapsuleStructure {
  let content: unknown;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    requireShallow(text);
    content = JSON.parse(text, refusePrototypes);
  } catch (error) {
    throw error instanceof AppError ? error : notKap();
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) throw notKap();
  return (check(KapFile, content) as KapFile).kapsule;
}

/** Only the structure: data, owner and ids are not exported. */
export function formatKap(
  { name, table, keyField, database, tableName, fields }: KapsuleRecord,
  now: number,
): string {
  const kapsule = {
    name,
    table,
    keyField,
    database,
    tableName,
    fields: fields.map((field) => ({ name: field.name, type: field.type })),
  };
  const file: KapFile = { format: 'kap', version: 1, exportedAt: new Date(now).toISOString(), kapsule };
  return `${JSON.stringify(file, null, 2)}\n`;
}
