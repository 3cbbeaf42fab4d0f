import type { QvdColumnType } from '../column-type.ts';

export interface NewColumn {
  readonly name: string;
  /** `date`, `timestamp` and `time` convert ISO texts and Date objects to duals; other types are hints for readers. */
  readonly type?: QvdColumnType | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly comment?: string | undefined;
}

export interface NewTable {
  readonly tableName: string;
  readonly columns: readonly NewColumn[];
  readonly comment?: string | undefined;
  readonly createdAt?: Date | undefined;
}
