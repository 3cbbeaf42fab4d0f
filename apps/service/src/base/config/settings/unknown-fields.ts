import { isBlock, valueAt } from './value-at.ts';

/**
 * The next settings with those fields of the stored ones that this version does not know: they are not in `known`, which is
 * what it has read of the stored ones.
 */
export const withUnknownOf = <T extends object>(next: T, stored: object, known: object): T => ({
  ...next,
  ...unknownFields(next, stored, known),
});

const unknownFields = (next: object, stored: object, known: object): object =>
  Object.fromEntries(
    Object.entries(stored).flatMap(([key, value]: [string, unknown]) => {
      const [mine, read] = [valueAt(next, [key]), valueAt(known, [key])];
      if (mine === undefined && read === undefined) return [[key, value]];
      return isBlock(mine) && isBlock(value) && isBlock(read)
        ? [[key, withUnknownOf(mine, value, read)]]
        : [];
    }),
  );
