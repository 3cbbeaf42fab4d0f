import type { FieldType } from '@kaptain/contract';
import type { KapsuleRecord } from '@kaptain/store';
import { type Column, columnsOf } from '../../granule-formats/columns.ts';
import { AppError } from '../../http/app-error.ts';

/** A name in a LOAD statement, and in a SELECT. */
const inLoad = (name: string): string => `[${name.replaceAll(']', ']]')}]`;
const inSelect = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** CSV carries text; what it means is said here. */
const conversions: Record<FieldType, (field: string) => string> = {
  text: (field) => field,
  list: (field) => field,
  number: (field) => `Num#(${field}, '', '.', ',')`,
  boolean: (field) => `If(${field} = 'true', True(), If(${field} = 'false', False()))`,
  date: (field) => `Date(Date#(${field}, 'YYYY-MM-DD'))`,
  timestamp: (field) => `Timestamp(Timestamp#(Left(Replace(${field}, 'T', ' '), 19), 'YYYY-MM-DD hh:mm:ss'))`,
};

const loaded = ({ name, type }: Column): string => {
  const field = inLoad(name);
  const value = conversions[type](field);
  return value === field ? `    ${field}` : `    ${value} AS ${field}`;
};

/** The platform would run what stands in $(…), and a line break would end a comment. */
function requireHarmless(names: readonly string[]): void {
  const bad = names.find((name) => name.includes('$(') || /[\p{Cc}\u2028\u2029]/u.test(name));
  if (bad !== undefined)
    throw new AppError('CONFLICT', `The name ${JSON.stringify(bad)} can not be used in a load script.`);
}

/** A script that a person can paste and run after putting in their key. */
export function loadScript(kapsule: KapsuleRecord, origin: string): string {
  const columns = columnsOf(kapsule);
  requireHarmless([kapsule.name, ...columns.map(({ name }) => name)]);
  const url = `${origin}/api/kapsule/${kapsule.id}/sql/read?format=csv`;
  return [
    `// ${kapsule.name}`,
    '// 1. Create a REST connection named Kaptain (method GET, anonymous) and allow WITH CONNECTION in it.',
    '// 2. Put an API key in place of PUT-YOUR-API-KEY-HERE.',
    `SET vKaptainKey = 'PUT-YOUR-API-KEY-HERE';`,
    '',
    `LIB CONNECT TO 'Kaptain';`,
    '',
    `${inLoad(kapsule.name)}:`,
    'LOAD',
    `${columns.map(loaded).join(',\n')};`,
    'SQL SELECT',
    columns.map(({ name }) => `    ${inSelect(name)}`).join(',\n'),
    'FROM CSV (header on, delimiter ",", quote """") "CSV_source"',
    'WITH CONNECTION (',
    `    URL "${url}",`,
    '    HTTPHEADER "x-api-key" "$(vKaptainKey)"',
    ');',
    '',
    'SET vKaptainKey =;',
    '',
  ].join('\n');
}
