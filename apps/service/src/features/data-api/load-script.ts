import type { FieldType } from '@kaptain/contract';
import type { KapsuleRecord } from '@kaptain/store';
import { type Column, columnsOf, watermarkColumn } from '../../granule-formats/columns.ts';
import { AppError } from '../../http/app-error.ts';

/** A name quoted for a LOAD statement, for a SELECT, and as a string. */
const inLoad = (name: string): string => `[${name.replaceAll(']', ']]')}]`;
const inSelect = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const asText = (name: string): string => `'${name.replaceAll("'", "''")}'`;

/** CSV contains only text; these expressions convert it to the field's type. */
const conversions: Record<FieldType, (field: string) => string> = {
  text: (field) => field,
  list: (field) => field,
  thread: (field) => field,
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

/** The platform expands $(…) and would run it, and a line break would end a comment. */
function requireHarmless(names: readonly string[]): void {
  const bad = names.find((name) => name.includes('$(') || /[\p{Cc}\u2028\u2029]/u.test(name));
  if (bad !== undefined)
    throw new AppError('CONFLICT', `The name ${JSON.stringify(bad)} can not be used in a load script.`);
}

/** A REST connection has one HTTP method, so reading and confirming need one each; they hold the API key. */
const introduction = (name: string, url: string): string[] => [
  `// ${name}`,
  '//',
  '// Before the first run, create two REST connections. Both allow',
  '// WITH CONNECTION and have the query header x-api-key with an API key,',
  '// so that the key never stands in a script.',
  '//',
  '// Kaptain: method GET, URL',
  `//   ${url}/sql/read?format=csv`,
  '// Kaptain confirm: method POST, one more query header: Content-Type',
  '// application/json, body {"watermark":"0"} (which confirms nothing), URL',
  `//   ${url}/reloaded`,
];

/** The last row of a read has the watermark, because a REST connection does not expose response headers. */
function loading(kapsule: KapsuleRecord, url: string): string[] {
  const { id, name } = kapsule;
  const mark = watermarkColumn(kapsule);
  const columns = [...columnsOf(kapsule), mark];
  requireHarmless([name, ...columns.map((column) => column.name)]);
  return [
    '// 1. Load every row. REPLACE makes it run in a partial reload too.',
    `LET vKaptainWatermark_${id} = '';`,
    "LET vKaptainSince = '0';",
    '// For an incremental load, use the next line too, and add the rows to',
    '// those that you keep. Deleted rows are not told.',
    `// LET vKaptainSince = If(Len('$(vKaptainConfirmed_${id})') = 0, '0', '$(vKaptainConfirmed_${id})');`,
    '',
    `LIB CONNECT TO 'Kaptain';`,
    '',
    `${inLoad(name)}:`,
    'REPLACE LOAD',
    `${columns.map(loaded).join(',\n')};`,
    'SQL SELECT',
    columns.map((column) => `    ${inSelect(column.name)}`).join(',\n'),
    'FROM CSV (header on, delimiter ",", quote """") "CSV_source"',
    'WITH CONNECTION (',
    `    URL "${url}/sql/read?format=csv&withWatermark=true&since=$(vKaptainSince)"`,
    ');',
    '',
    `LET vKaptainWatermark_${id} = Peek(${asText(mark.name)}, -1, ${asText(name)});`,
    `DROP FIELD ${inLoad(mark.name)} FROM ${inLoad(name)};`,
  ];
}

const confirming = (id: string, url: string): string[] => [
  '// 2. Confirm what was loaded. Keep this the last part of the script:',
  '// when anything before it fails, nothing is confirmed.',
  `IF Len('$(vKaptainWatermark_${id})') > 0 AND ScriptErrorCount = 0 THEN`,
  `LIB CONNECT TO 'Kaptain confirm';`,
  '',
  '[KaptainConfirmed]:',
  'REPLACE LOAD',
  '    [reloaded];',
  'SQL SELECT',
  '    "reloaded"',
  'FROM JSON (wrap on) "root"',
  'WITH CONNECTION (',
  `    URL "${url}/reloaded",`,
  `    BODY "{""watermark"":""$(vKaptainWatermark_${id})""}"`,
  ');',
  '',
  `LET vKaptainConfirmed_${id} = '$(vKaptainWatermark_${id})';`,
  'DROP TABLE [KaptainConfirmed];',
  'END IF',
];

/** A complete load script: it loads the granules and confirms them. */
export function loadScript(kapsule: KapsuleRecord, origin: string): string {
  const url = `${origin}/api/kapsule/${kapsule.id}`;
  const load = loading(kapsule, url);
  const parts = [introduction(kapsule.name, url), load, confirming(kapsule.id, url)];
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}
