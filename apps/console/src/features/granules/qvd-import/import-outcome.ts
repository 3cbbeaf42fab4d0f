import type { QvdFileResult } from '@kaptain/contract/granules';

const sum = (files: readonly QvdFileResult[], of: (file: QvdFileResult) => number) =>
  files.reduce((total, file) => total + of(file), 0);

/** Rows with values that break a type or a rule. */
export const refusedRows = (files: readonly QvdFileResult[]): number =>
  sum(files, ({ refused }) => refused?.rows ?? 0);

/** Deleted granules that the import brings back. */
export const revivedRows = (files: readonly QvdFileResult[]): number =>
  sum(files, ({ changes }) => changes?.revived ?? 0);

/** Rows that can be stored. */
export const goodRows = (files: readonly QvdFileResult[]): number =>
  sum(files, ({ rows, refused, changes }) =>
    changes
      ? changes.new + changes.changed + changes.unchanged + changes.revived
      : rows - (refused?.rows ?? 0),
  );

/** Whether the person decides before anything is stored. */
export const needsAnswer = (files: readonly QvdFileResult[]): boolean =>
  refusedRows(files) > 0 || revivedRows(files) > 0;
