import { fieldTypes } from '@kaptain/contract/fields';
import type { KapsuleRecord } from '@kaptain/store';
import { AppError } from '../../base/errors/app-error.ts';
import { type Column, columnsOf, deletionColumns, freeName, watermarkColumn } from '../export/columns.ts';

/** A name quoted for a LOAD statement, for a SELECT, and as a string. */
const inLoad = (name: string): string => `[${name.replaceAll(']', ']]')}]`;
const inSelect = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const asText = (name: string): string => `'${name.replaceAll("'", "''")}'`;

/** CSV contains only text. */
const loaded = ({ name, type }: Column): string => {
  const field = inLoad(name);
  const value = fieldTypes[type].inLoadScript(field);
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

/** The columns of a read, the names of those that are not the kapsule's, and a free name for the keys of changed rows. */
function namesBeside(kapsule: KapsuleRecord) {
  const columns = [...columnsOf(kapsule), ...deletionColumns(kapsule), watermarkColumn(kapsule)];
  const [deleted, , mark] = columns.slice(-3).map(({ name }) => name) as [string, string, string];
  return { columns, deleted, mark, changedKey: freeName('KaptainKey', columns) };
}

const preparing = (id: string): string[] => [
  `LET vKaptainWatermark_${id} = '';`,
  '// For an incremental load, name a QVD file here, in which the rows are',
  '// kept. Each app needs a file of its own, so the id of the app is in it:',
  `// 'lib://DataFiles/kaptain-${id}-' & DocumentName() & '.qvd'`,
  '// Give it another name when the fields of the kapsule change. Without a',
  '// file every load reads all rows.',
  `LET vKaptainFile_${id} = '';`,
  "LET vKaptainSince = '0';",
  `IF Len('$(vKaptainKept_${id})') > 0 AND FileSize('$(vKaptainFile_${id})') > 0 AND ScriptErrorCount = 0 THEN`,
  `LET vKaptainSince = '$(vKaptainKept_${id})';`,
  'END IF',
];

/**
 * The service refuses a watermark of before a restore: its rows may be other ones now. Whatever made the read fail, the script then
 * reads all rows, and ends when that fails too.
 */
const readingSince = (id: string): string[] => [
  '// When the changes can not be read, e.g. after a restore of the service,',
  '// all rows are read.',
  "LET vKaptainErrors = '0';",
  "IF '$(vKaptainSince)' <> '0' THEN",
  "LET vKaptainErrorMode = If(Len('$(ErrorMode)') = 0, '1', '$(ErrorMode)');",
  'SET ErrorMode = 0;',
  `CALL KaptainRead_${id};`,
  'LET vKaptainErrors = ScriptErrorCount;',
  'SET ErrorMode = $(vKaptainErrorMode);',
  'END IF',
  "IF '$(vKaptainErrors)' <> '0' THEN",
  "LET vKaptainSince = '0';",
  'END IF',
  "IF '$(vKaptainErrors)' <> '0' AND NoOfRows('KaptainChanges') >= 0 THEN",
  'DROP TABLE [KaptainChanges];',
  'END IF',
  "IF '$(vKaptainSince)' = '0' THEN",
  `CALL KaptainRead_${id};`,
  'END IF',
];

/** The last row of a read has the watermark, because a REST connection does not expose response headers. */
function loading(kapsule: KapsuleRecord, url: string): string[] {
  const { id, name, keyField } = kapsule;
  const { columns, mark, changedKey } = namesBeside(kapsule);
  requireHarmless([name, ...columns.map((column) => column.name)]);
  const changed = `    ${inLoad(keyField)} AS ${inLoad(changedKey)}`;
  return [
    '// 1. Load what has changed. REPLACE makes it run in a partial reload too.',
    ...preparing(id),
    '',
    `SUB KaptainRead_${id}`,
    '[KaptainChanges]:',
    'REPLACE LOAD',
    `${[changed, ...columns.map(loaded)].join(',\n')};`,
    'SQL SELECT',
    columns.map((column) => `    ${inSelect(column.name)}`).join(',\n'),
    'FROM CSV (header on, delimiter ",", quote """") "CSV_source"',
    'WITH CONNECTION (',
    `    URL "${url}/sql/read?format=csv&withWatermark=true&deletions=true&since=$(vKaptainSince)"`,
    ');',
    'END SUB',
    '',
    `LIB CONNECT TO 'Kaptain';`,
    ...readingSince(id),
    '',
    `LET vKaptainWatermark_${id} = Peek(${asText(mark)}, -1, 'KaptainChanges');`,
  ];
}

function merging(kapsule: KapsuleRecord): string[] {
  const { id, name, keyField } = kapsule;
  const { deleted, changedKey } = namesBeside(kapsule);
  const columns = columnsOf(kapsule)
    .map((column) => `    ${inLoad(column.name)}`)
    .join(',\n');
  return [
    '// 2. Take the changed rows, and those that were kept and have not',
    '// changed since. Deleted rows are neither.',
    `${inLoad(name)}:`,
    'REPLACE LOAD',
    columns,
    'RESIDENT [KaptainChanges]',
    `WHERE Len(${inLoad(deleted)}) = 0;`,
    '',
    "IF '$(vKaptainSince)' <> '0' THEN",
    `ADD CONCATENATE (${inLoad(name)}) LOAD`,
    columns,
    `FROM [$(vKaptainFile_${id})] (qvd)`,
    `WHERE NOT Exists(${inLoad(changedKey)}, ${inLoad(keyField)});`,
    'END IF',
    '',
    'DROP TABLE [KaptainChanges];',
    `IF Len('$(vKaptainFile_${id})') > 0 THEN`,
    `STORE ${inLoad(name)} INTO [$(vKaptainFile_${id})] (qvd);`,
    'END IF',
  ];
}

const confirming = (id: string, url: string): string[] => [
  '// 3. Confirm what was loaded. Keep this the last part of the script:',
  '// when anything before it fails, nothing is confirmed.',
  `IF Len('$(vKaptainWatermark_${id})') > 0 AND ScriptErrorCount = $(vKaptainErrors) THEN`,
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
  `LET vKaptainKept_${id} = If(Len('$(vKaptainFile_${id})') = 0, '$(vKaptainKept_${id})', '$(vKaptainWatermark_${id})');`,
  'DROP TABLE [KaptainConfirmed];',
  'END IF',
];

/** A complete load script: it loads the granules and confirms them. */
export function loadScript(kapsule: KapsuleRecord, origin: string): string {
  const url = `${origin}/api/kapsule/${kapsule.id}`;
  const load = loading(kapsule, url);
  const parts = [introduction(kapsule.name, url), load, merging(kapsule), confirming(kapsule.id, url)];
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}
