import type { StructureProposal } from '@kaptain/contract';
import type { FieldType } from '@kaptain/contract/fields';
import { foldName } from '@kaptain/contract/folding';
import { limits } from '@kaptain/contract/limits';
import { proposedField, proposedKey } from '@kaptain/contract/proposed-field';
import { isCalendarType, type QvdColumn, type QvdTable } from '@kaptain/qvd/node';
import { yieldProcessor } from '@kaptain/store/background-thread';
import { Cell } from './cell-values.ts';
import { named, openQvdFile } from './open-qvd-file.ts';
import { LONGEST_KEY } from './row-writer.ts';

const FIRST_ROWS = 5;
const SHOWN_CHARACTERS = 80;
const LEFT_OUT_SHOWN = 20;
/** Of all names and choices: a proposal is one answer. */
const MOST_CHARACTERS = 250_000;
/** Values of one column, and of all together, that are looked at. */
const [VALUES_OF_EACH, VALUES_OF_ALL] = [50_000, 2_000_000];
/** Columns that may be keys, and their rows, that are read to the end. */
const [MOST_KEYS, KEY_ROWS] = [20, 10_000_000];

type Proposed = StructureProposal['columns'][number];

/** What the format of a column says; the number of a month or of an account is formatted as nothing in particular. */
function statedType({ type, formatType }: QvdColumn): FieldType | undefined {
  // A time of day is shown as one.
  if (isCalendarType(type)) return type === 'time' ? 'text' : type;
  return ['INTEGER', 'REAL', 'FIX', 'MONEY'].includes(formatType.toUpperCase()) ? 'number' : undefined;
}

/** The columns that can be fields of one kapsule, whose names differ without case. */
function chosenColumns(columns: readonly QvdColumn[]) {
  const [chosen, leftOut]: [QvdColumn[], string[]] = [[], []];
  const taken = new Set<string>();
  let room = MOST_CHARACTERS;
  for (const column of columns) {
    const { name, label } = column;
    const isName = name.length <= limits.nameCharacters && name.isWellFormed() && !name.includes('\0');
    const key = isName ? foldName(name) : '';
    // The key is no field.
    if (key === '' || taken.has(key) || chosen.length > limits.fieldsPerKapsule || name.length > room) {
      leftOut.push(label);
      continue;
    }
    taken.add(key);
    chosen.push(column);
    room -= name.length;
  }
  return { chosen, leftOut, room };
}

interface ColumnContent {
  values: Cell[];
  firstTexts: string[];
}

/** The different values of a column and the texts of its first rows. */
async function contentOf(table: QvdTable, column: QvdColumn, most: number): Promise<ColumnContent> {
  for await (const { vectors, rowCount } of table.blocks({ columns: [column.name] })) {
    const [vector] = vectors;
    if (!vector) break;
    const { symbols, codes } = vector;
    const cellOf = (code: number) => new Cell(symbols.number(code), symbols.text(code), column);
    const values: Cell[] = [];
    for (let code = 0; code < Math.min(symbols.count, most); code++) {
      if (code % 1_000 === 0) yieldProcessor();
      values.push(cellOf(code));
    }
    const first = Array.from(codes.subarray(0, Math.min(rowCount, FIRST_ROWS)));
    const firstTexts = first.map((code) => (code < 0 ? '' : (cellOf(code).shown ?? '')));
    return { values, firstTexts: firstTexts.map((text) => text.slice(0, SHOWN_CHARACTERS).toWellFormed()) };
  }
  return { values: [], firstTexts: [] };
}

const isKeyText = (text: string): boolean => text !== '' && text.length <= LONGEST_KEY;

/** Whether no two rows can have the same key, as far as the values tell. */
function mayBeKey({ symbolCount }: QvdColumn, values: readonly Cell[], rows: number): boolean {
  const texts = values.map(({ shown }) => shown ?? '');
  return rows > 0 && symbolCount >= rows && texts.every(isKeyText) && new Set(texts).size === texts.length;
}

/** Those of the columns in which each row has a value of its own. */
async function uniqueColumns(table: QvdTable, columns: readonly QvdColumn[]): Promise<ReadonlySet<string>> {
  const open = new Map(
    columns.map((column, index) => [column.name, { index, seen: new Uint8Array(column.symbolCount) }]),
  );
  if (open.size === 0) return new Set();
  const names = columns.map(({ name }) => name);
  for await (const { codes, rowCount, firstRow } of table.codes({ columns: names, reuse: true })) {
    yieldProcessor();
    for (const [name, { index, seen }] of open)
      for (let row = 0; row < rowCount; row++) {
        const code = codes[index]?.[row] ?? -1;
        if (code < 0 || seen[code] === 1) {
          open.delete(name);
          break;
        }
        seen[code] = 1;
      }
    if (open.size === 0 || firstRow > KEY_ROWS) break;
  }
  return new Set(open.keys());
}

/** The structure that fits a file; throws where the file can't be read. */
export async function proposeStructure(file: { name: string; path: string }): Promise<StructureProposal> {
  await using table = await openQvdFile(file);
  return await named(file.name, () => structureOf(file.name, table));
}

async function structureOf(fileName: string, table: QvdTable): Promise<StructureProposal> {
  const { rowCount, tableName } = table;
  const { chosen, leftOut, room } = chosenColumns(table.columns);
  const most = Math.min(VALUES_OF_EACH, Math.ceil(VALUES_OF_ALL / Math.max(1, chosen.length)));
  let roomForChoices = room;
  const columns: Proposed[] = [];
  const texts: string[][] = [];
  const mayBeKeys: QvdColumn[] = [];
  for (const column of chosen) {
    const { values, firstTexts } = await contentOf(table, column, most);
    const sample = { values, areAll: column.symbolCount <= values.length, rows: rowCount };
    const { choices = [], ...field } = proposedField({ ...sample, stated: statedType(column) });
    roomForChoices -= choices.reduce((sum, { value }) => sum + value.length, 0);
    const hasRoom = choices.length > 0 && roomForChoices >= 0;
    columns.push({
      name: column.name,
      ...field,
      // Without its choices it is a text again.
      ...(choices.length > 0 && (hasRoom ? { choices } : { type: 'text' as const })),
      isKey: false,
    });
    texts.push(firstTexts);
    if (mayBeKeys.length < MOST_KEYS && mayBeKey(column, values, rowCount)) mayBeKeys.push(column);
  }
  const unique = await uniqueColumns(table, mayBeKeys);
  for (const column of columns) column.isKey = unique.has(column.name);
  const shownRows = Math.min(rowCount, FIRST_ROWS);
  return {
    name: fileName
      .replace(/\.qvd$/i, '')
      .slice(0, limits.nameCharacters)
      .toWellFormed(),
    table: tableName.slice(0, limits.nameCharacters).toWellFormed().replaceAll('\0', ''),
    keyField: proposedKey(columns.filter(({ isKey }) => isKey).map(({ name }) => name)) ?? null,
    columns,
    leftOut: { count: leftOut.length, first: leftOut.slice(0, LEFT_OUT_SHOWN) },
    rows: rowCount,
    firstRows: Array.from({ length: shownRows }, (_, row) => texts.map((column) => column[row] ?? '')),
  };
}
