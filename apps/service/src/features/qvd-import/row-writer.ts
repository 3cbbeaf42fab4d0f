import { limits } from '@kaptain/contract/limits';
import type { QvdBlock, QvdVector } from '@kaptain/qvd';
import { type Cell, fieldValue, momentOf, textOf } from './cell-values.ts';
import { ImportRefusal } from './import-refusal.ts';
import type { Matching } from './match-columns.ts';

/** Up to here a text is made once for every different value; beyond, rows rarely share any. */
const KEPT = 262_144;
const LONGEST_KEY = 1000;

const cellOf = ({ symbols }: QvdVector, code: number): Cell => ({
  number: symbols.number(code),
  text: symbols.text(code),
});

/** Asks for the text of a code once; -1 is NULL. */
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
 * Writes rows as JSON, put together from the texts of their values: there are often far fewer values than rows.
 * A row without a key is left out.
 */
export function rowWriter({ fields, createdBy, createdAt }: Matching, author: string) {
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

  /** One row of a block, or nothing when it has no key. The vectors: key, fields, then author and date if there. */
  return ({ vectors }: QvdBlock, row: number): string => {
    const key = keyOf(vectors[0] as QvdVector, row);
    if (key === '') return '';
    let data = '';
    for (let place = 0; place < pairs.length; place++) {
      const pair = pairs[place]?.(vectors[place + 1] as QvdVector, row) ?? '';
      if (pair !== '') data += data === '' ? pair : `,${pair}`;
    }
    const user = createdBy === undefined ? '' : userOf(vectors[byPlace] as QvdVector, row);
    const moment = createdAt === undefined ? '' : momentText(vectors[atPlace] as QvdVector, row);
    return `{"key":${key},"user":${user || ownAuthor},"data":{${data}}${moment}}`;
  };
}
