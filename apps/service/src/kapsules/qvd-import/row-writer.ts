import { type KnownValues, valueCheck } from '@kaptain/contract/field-rules';
import { fieldTypes, isEmpty } from '@kaptain/contract/fields';
import { limits } from '@kaptain/contract/limits';
import type { QvdBlock, QvdVector } from '@kaptain/qvd';
import { searchable, searchLines } from '@kaptain/store/folding';
import type { PackedRow } from '@kaptain/store/packed-rows';
import { shownKey, tooLargeMessage } from '../granules/granule-size.ts';
import { CACHED_VALUES } from '../tuning.ts';
import { Cell, timeOf } from './cell-values.ts';
import { ImportRefusal } from './import-refusal.ts';
import type { Matching } from './match-columns.ts';
import type { Task } from './messages.ts';

/** All cached values together, because the memory of the thread is limited; about what an entry takes beside its texts. */
const [MAX_CACHED_BYTES, ENTRY_BYTES] = [200_000_000, 200];
export const LONGEST_KEY = 1000;
/** The bytes around and between the values of a row. */
const [BRACES, COMMA] = [2, 1];

const cellOf = ({ symbols, column }: QvdVector, code: number): Cell =>
  new Cell(symbols.number(code), symbols.text(code), column);

/** A value of a row: what the row holds, and its part of the text that is searched, empty for a row that is not stored. */
interface Value {
  text: string;
  search: string;
  /** It may break the type or a rule of its field. */
  isSuspect: boolean;
}

const NOTHING: Value = { text: '', search: '', isSuspect: false };
const MISSING: Value = { ...NOTHING, isSuspect: true };

/** A row as a store writes it. */
export interface WrittenRow {
  row: PackedRow;
  /** A value or the row as a whole may break a rule: it is to be checked before it is stored. */
  isSuspect: boolean;
}

/** Makes each value once per code; -1 is NULL. All columns of a file share the room. */
function valueCache() {
  let room = MAX_CACHED_BYTES;
  return (make: (vector: QvdVector, code: number) => Value, nothing = NOTHING) => {
    const values = new Map<number, Value>();
    return (vector: QvdVector, row: number): Value => {
      const code = vector.codes[row] ?? -1;
      if (code < 0) return nothing;
      const value = values.get(code);
      if (value !== undefined) return value;
      const made = make(vector, code);
      const size = ENTRY_BYTES + 2 * (made.text.length + made.search.length);
      if (values.size < CACHED_VALUES && size <= room) {
        values.set(code, made);
        room -= size;
      }
      return made;
    };
  };
}

/** The indexes of fields in the order of an object: names that are whole numbers come first. */
const orderOf = (fields: Matching['fields']): number[] =>
  Object.values(Object.fromEntries(fields.map(({ field }, index) => [field.name, index])));

/** Whether every row is suspect, whatever its values are: a value that the file lacks is required, or depends on others. */
function areAllSuspect(inFile: Matching['fields'], { fields }: Task['structure']): boolean {
  const found = new Set(inFile.map(({ field }) => field.name));
  return fields.some(({ name, required, choicesBy }) => choicesBy ?? (required && !found.has(name)));
}

type WriterTask = Pick<Task, 'author' | 'granuleBytes' | 'isDryRun' | 'structure'> & { known?: KnownValues };

/**
 * Makes rows as a store writes them, from cached values, because there are often far fewer values than rows. A row without a
 * key is left out. Each value is checked once; values that are refused stay as the file has them.
 */
export function rowWriter(
  { fields, createdBy, createdAt }: Matching,
  { author, granuleBytes, isDryRun, structure, known = {} }: WriterTask,
) {
  const isEachSuspect = areAllSuspect(fields, structure);
  const cached = valueCache();
  const named = (text: string): Value => ({
    text,
    search: isDryRun ? '' : searchable(text),
    isSuspect: false,
  });
  const keyOf = cached((vector, code) => {
    const key = cellOf(vector, code).shown ?? '';
    if (key.length > LONGEST_KEY) throw new ImportRefusal(`A key is longer than ${LONGEST_KEY} characters.`);
    return named(key);
  });
  const pairs = orderOf(fields).map((index) => {
    const { field } = fields[index] as Matching['fields'][number];
    const name = JSON.stringify(field.name);
    const { fromQvd } = fieldTypes[field.type];
    const check = valueCheck(field, known);
    const nothing = field.required ? MISSING : NOTHING;
    const checkedOf = (vector: QvdVector, code: number) => {
      const given = code < 0 ? null : fromQvd(cellOf(vector, code));
      const checked = check(given);
      return 'rule' in checked ? { value: given, isSuspect: true } : { ...checked, isSuspect: false };
    };
    const jsonOf = (value: unknown) => (value === null ? '' : JSON.stringify(value));
    const valueOf = cached((vector, code) => {
      const { value, isSuspect } = checkedOf(vector, code);
      const json = jsonOf(value);
      if (json === '') return nothing;
      return {
        text: `${name}:${json}`,
        // Parsed again, because a list can have numbers that JSON does not have.
        search: isDryRun ? '' : searchLines(JSON.parse(json)),
        isSuspect: isSuspect || (nothing.isSuspect && isEmpty(value)),
      };
    }, nothing);
    const vectorOf = ({ vectors }: QvdBlock) => vectors[index + 1] as QvdVector;
    return {
      of: (block: QvdBlock, row: number) => valueOf(vectorOf(block), row),
      /** Its size in the data, without a comma; 0 for NULL. */
      bytesOf(block: QvdBlock, row: number) {
        const vector = vectorOf(block);
        const json = jsonOf(checkedOf(vector, vector.codes[row] ?? -1).value);
        return json === '' ? 0 : Buffer.byteLength(`${name}:${json}`);
      },
    };
  });
  const userOf = cached((vector, code) => {
    const text = cellOf(vector, code).shown ?? '';
    // A copy, well-formed: a part of a text would keep the whole of it in memory.
    return named(Buffer.from(text.slice(0, limits.nameCharacters)).toString());
  });
  const timeText = cached((vector, code) => ({ ...NOTHING, text: timeOf(cellOf(vector, code)) ?? '' }));
  const [authorColumn, timeColumn] = [fields.length + 1, fields.length + (createdBy === undefined ? 1 : 2)];
  const ownAuthor = named(author);

  function tooLarge(block: QvdBlock, row: number, number: number, key: string): ImportRefusal {
    const bytes = pairs.map((pair) => pair.bytesOf(block, row)).filter((size) => size > 0);
    const all = bytes.reduce((sum, size) => sum + size + COMMA, BRACES - COMMA);
    const which = `row ${number} (key ${shownKey(key)})`;
    return new ImportRefusal(tooLargeMessage(which, all, granuleBytes), 'TOO_LARGE');
  }

  /**
   * One row of a block; undefined without a key. The vectors: key, fields, then author and date if the file has them.
   */
  return (block: QvdBlock, row: number, rowsBefore: number): WrittenRow | undefined => {
    const { vectors } = block;
    const key = keyOf(vectors[0] as QvdVector, row);
    if (key.text === '') return undefined;
    let data = '';
    let lines = '';
    let isSuspect = isEachSuspect;
    for (const pair of pairs) {
      const value = pair.of(block, row);
      const { text, search } = value;
      if (value.isSuspect) isSuspect = true;
      if (text !== '') data += data === '' ? text : `,${text}`;
      lines += search;
      // Stops at the limit, because a row of many large values would not fit into memory.
      if (data.length > granuleBytes) break;
    }
    // A character has at most three bytes in UTF-8, so the exact size is computed only for long rows.
    if (data.length * 3 + BRACES > granuleBytes && Buffer.byteLength(data) + BRACES > granuleBytes)
      throw tooLarge(block, row, rowsBefore + row + 1, key.text);
    const inFile = createdBy === undefined ? NOTHING : userOf(vectors[authorColumn] as QvdVector, row);
    const user = inFile.text === '' ? ownAuthor : inFile;
    const moment = createdAt === undefined ? '' : timeText(vectors[timeColumn] as QvdVector, row).text;
    const search = `${key.search}\n${user.search}${lines}`;
    return { row: [key.text, user.text, `{${data}}`, moment || null, null, search], isSuspect };
  };
}
