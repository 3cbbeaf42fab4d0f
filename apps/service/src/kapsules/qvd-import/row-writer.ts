import { fieldTypes } from '@kaptain/contract/fields';
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
const LONGEST_KEY = 1000;
/** The bytes around and between the values of a row. */
const [BRACES, COMMA] = [2, 1];

const cellOf = ({ symbols, column }: QvdVector, code: number): Cell =>
  new Cell(symbols.number(code), symbols.text(code), column);

/** A value of a row: what the row holds, and its part of the text that is searched, empty for a row that is not stored. */
interface Value {
  text: string;
  search: string;
}

const NOTHING: Value = { text: '', search: '' };

/** Makes each value once per code; -1 is NULL. All columns of a file share the room. */
function valueCache() {
  let room = MAX_CACHED_BYTES;
  return (make: (vector: QvdVector, code: number) => Value) => {
    const values = new Map<number, Value>();
    return (vector: QvdVector, row: number): Value => {
      const code = vector.codes[row] ?? -1;
      if (code < 0) return NOTHING;
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

/**
 * Makes rows as a store writes them, from cached values, because there are often far fewer values than rows. A row without a
 * key is left out.
 */
export function rowWriter(
  { fields, createdBy, createdAt }: Matching,
  { author, granuleBytes, isDryRun }: Pick<Task, 'author' | 'granuleBytes' | 'isDryRun'>,
) {
  const cached = valueCache();
  const named = (text: string): Value => ({ text, search: isDryRun ? '' : searchable(text) });
  const keyOf = cached((vector, code) => {
    const key = cellOf(vector, code).shown ?? '';
    if (key.length > LONGEST_KEY) throw new ImportRefusal(`A key is longer than ${LONGEST_KEY} characters.`);
    return named(key);
  });
  const pairs = orderOf(fields).map((index) => {
    const { field } = fields[index] as Matching['fields'][number];
    const name = JSON.stringify(field.name);
    const { fromQvd } = fieldTypes[field.type];
    const jsonOf = (vector: QvdVector, code: number) => {
      const value = code < 0 ? null : fromQvd(cellOf(vector, code));
      return value === null ? '' : JSON.stringify(value);
    };
    const valueOf = cached((vector, code) => {
      const json = jsonOf(vector, code);
      if (json === '') return NOTHING;
      // Parsed again, because a list can have numbers that JSON does not have.
      return { text: `${name}:${json}`, search: isDryRun ? '' : searchLines(JSON.parse(json)) };
    });
    const vectorOf = ({ vectors }: QvdBlock) => vectors[index + 1] as QvdVector;
    return {
      of: (block: QvdBlock, row: number) => valueOf(vectorOf(block), row),
      /** Its size in the data, without a comma; 0 for NULL. */
      bytesOf(block: QvdBlock, row: number) {
        const vector = vectorOf(block);
        const json = jsonOf(vector, vector.codes[row] ?? -1);
        return json === '' ? 0 : Buffer.byteLength(`${name}:${json}`);
      },
    };
  });
  const userOf = cached((vector, code) => {
    const text = cellOf(vector, code).shown ?? '';
    // A copy, well-formed: a part of a text would keep the whole of it in memory.
    return named(Buffer.from(text.slice(0, limits.nameCharacters)).toString());
  });
  const timeText = cached((vector, code) => ({ text: timeOf(cellOf(vector, code)) ?? '', search: '' }));
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
  return (block: QvdBlock, row: number, rowsBefore: number): PackedRow | undefined => {
    const { vectors } = block;
    const key = keyOf(vectors[0] as QvdVector, row);
    if (key.text === '') return undefined;
    let data = '';
    let lines = '';
    for (const pair of pairs) {
      const { text, search } = pair.of(block, row);
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
    return [key.text, user.text, `{${data}}`, moment || null, null, search];
  };
}
