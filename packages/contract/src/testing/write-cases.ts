import type { WriteAction } from '../rules/decide-write.ts';

/** The version of the row that a case begins with: neither the first nor the last possible one. */
export const STORED_VERSION = 2;

/** One case of a write; every way of writing decides each of them like this. */
export interface WriteCase {
  /** The row of the key before the write, of `STORED_VERSION`. */
  stored: 'none' | 'living' | 'deleted';
  /** The version that the write names; null: none. */
  version: number | null;
  /** Author and data are those of the row. */
  isSame: boolean;
  action: WriteAction;
}

type Row = [
  stored: WriteCase['stored'],
  version: number | null,
  value: 'same' | 'other',
  action: WriteAction,
];

const table: readonly Row[] = [
  ['none', null, 'other', 'insert'],
  ['none', 0, 'other', 'insert'],
  ['none', 1, 'other', 'conflict'],
  ['none', 2, 'other', 'conflict'],
  ['living', null, 'other', 'replace'],
  ['living', null, 'same', 'same'],
  ['living', 0, 'other', 'conflict'],
  ['living', 0, 'same', 'conflict'],
  ['living', 1, 'other', 'conflict'],
  ['living', 1, 'same', 'conflict'],
  ['living', 2, 'other', 'replace'],
  ['living', 2, 'same', 'same'],
  ['living', 3, 'other', 'conflict'],
  ['living', 3, 'same', 'conflict'],
  ['deleted', null, 'other', 'revive'],
  ['deleted', null, 'same', 'revive'],
  ['deleted', 0, 'other', 'revive'],
  ['deleted', 0, 'same', 'revive'],
  ['deleted', 1, 'other', 'conflict'],
  ['deleted', 2, 'other', 'conflict'],
  ['deleted', 2, 'same', 'conflict'],
  ['deleted', 3, 'other', 'conflict'],
];

export const writeCases: readonly WriteCase[] = table.map(([stored, version, value, action]) => ({
  stored,
  version,
  isSame: value === 'same',
  action,
}));

/** Also the key of the case in a test. */
export const nameOf = ({ stored, version, isSame, action }: WriteCase): string =>
  `${stored} row, ${version === null ? 'no version' : `version ${version}`}, ${isSame ? 'same' : 'other'} value: ${action}`;

/** The version after the write. */
export const versionAfter = ({ stored, action }: WriteCase): number => {
  if (action === 'insert') return 1;
  if (action === 'replace' || action === 'revive') return STORED_VERSION + 1;
  return stored === 'none' ? 0 : STORED_VERSION;
};
