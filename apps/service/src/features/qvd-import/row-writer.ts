import { limits } from '@kaptain/contract/limits';
import type { QvdBlock, QvdVector } from '@kaptain/qvd';
import { shownKey, tooLargeMessage } from '../../kapsule-rules/granule-size.ts';
import { type Cell, fieldValue, momentOf, textOf } from './cell-values.ts';
import { ImportRefusal } from './import-refusal.ts';
import type { Matching } from './match-columns.ts';

/** Texts are cached for columns with up to this many distinct values; beyond that, rows rarely share one. */
const KEPT = 262_144;
const LONGEST_KEY = 1000;
/** The bytes around and between the values of a row. */
const [BRACES, COMMA] = [2, 1];

const cellOf = ({ symbols }: QvdVector, code: number): Cell => ({
  number: symbols.number(code),
  text: symbols.text(code),
});

/** Caches the text of each code; -1 is NULL. */
function keeping(
  make: (vector: QvdVector, code: number) => string,
): (vector: QvdVector, row: number) => string {
  const known = new Map<number, string>();
  return (vector, row) => {
    const code = vector.codes[row] ?? -1;
    if (code < 0) return '';
    const text = known.get(code);
    if (text !== undefined) return text;
    const made = make(vector, code);
    if (known.size < KEPT) known.set(code, made);
    return made;
  };
}

/**
 * Serialises rows as JSON from the cached texts of their values, because there are often far fewer values than rows.
 * A row without a key is left out.
 */
export function rowWriter({ fields, createdBy, createdAt }: Matching, author: string, granuleBytes: number) {
  const keyOf = keeping((vector, code) => {
    const key = textOf(cellOf(vector, code), vector.column) ?? '';
    if (key.length > LONGEST_KEY) throw new ImportRefusal(`A key is longer than ${LONGEST_KEY} characters.`);
    return key === '' ? '' : JSON.stringify(key);
  });
  const pairs = fields.map(({ field }) =>
    keeping((vector, code) => {
      const value = fieldValue(cellOf(vector, code), field.type, vector.column);
      return value === null ? '' : `${JSON.stringify(field.name)}:${JSON.stringify(value)}`;
    }),
  );
  const userOf = keeping((vector, code) => {
    const text = textOf(cellOf(vector, code), vector.column) ?? '';
    return text === '' ? '' : JSON.stringify(text.slice(0, limits.nameCharacters).toWellFormed());
  });
  const momentText = keeping((vector, code) => {
    const moment = momentOf(cellOf(vector, code));
    return moment === undefined ? '' : `,"createdAt":"${moment}"`;
  });
  const [byPlace, atPlace] = [fields.length + 1, fields.length + (createdBy === undefined ? 1 : 2)];
  const ownAuthor = JSON.stringify(author);

  function tooLarge(vectors: readonly QvdVector[], row: number, number: number, key: string): ImportRefusal {
    const texts = pairs.map((pair, place) => pair(vectors[place + 1] as QvdVector, row));
    const bytes = texts.filter((text) => text !== '').map((text) => Buffer.byteLength(text));
    const all = bytes.reduce((sum, size) => sum + size + COMMA, BRACES - COMMA);
    const which = `row ${number} (key ${shownKey(JSON.parse(key) as string)})`;
    return new ImportRefusal(tooLargeMessage(which, all, granuleBytes), 'TOO_LARGE');
  }

  /**
   * One row of a block; undefined without a key. The vectors: key, fields, then author and date if the file has them.
   */
  return ({ vectors }: QvdBlock, row: number, rowsBefore: number): string => {
    const key = keyOf(vectors[0] as QvdVector, row);
    if (key === '') return '';
    let data = '';
    for (let place = 0; place < pairs.length; place++) {
      const pair = pairs[place]?.(vectors[place + 1] as QvdVector, row) ?? '';
      if (pair !== '') data += data === '' ? pair : `,${pair}`;
      // Stops at the limit, because a row of many large values would not fit into memory.
      if (data.length > granuleBytes) break;
    }
    // A character has at most three bytes in UTF-8, so the exact size is computed only for long rows.
    if (data.length * 3 + BRACES > granuleBytes && Buffer.byteLength(data) + BRACES > granuleBytes)
      throw tooLarge(vectors, row, rowsBefore + row + 1, key);
    const user = createdBy === undefined ? '' : userOf(vectors[byPlace] as QvdVector, row);
    const moment = createdAt === undefined ? '' : momentText(vectors[atPlace] as QvdVector, row);
    return `{"key":${key},"user":${user || ownAuthor},"data":{${data}}${moment}}`;
  };
}
