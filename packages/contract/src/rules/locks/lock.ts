/** A comparison of what a row has stored in a field. */
export type FieldComparison =
  | {
      on: 'field';
      field: string;
      is: 'equals' | 'differs' | 'atMost' | 'atLeast';
      value: string | number | boolean;
    }
  | { on: 'field'; field: string; is: 'empty' | 'filled' };

/** What does not depend on the row. */
export type SaverCondition =
  /** The person is in one of these groups. */
  | { on: 'group'; groupIds: string[] }
  /** The person is one of these accounts. */
  | { on: 'person'; usernames: string[] }
  /** Before or after a day in UTC, or an instant. */
  | { on: 'time'; is: 'before' | 'after'; at: string };

export type LockCondition = FieldComparison | SaverCondition;

export const isOnField = (condition: LockCondition): condition is FieldComparison => condition.on === 'field';

/** Rows, or some of their fields, that can’t be changed. */
export interface Lock {
  /** Unique in the kapsule. */
  name: string;
  /** The fields that it closes; absent for the whole row. */
  fields?: string[] | undefined;
  /** It closes a row when all conditions hold, or unless they do; without conditions `when` closes all rows. */
  closes: 'when' | 'unless';
  conditions: LockCondition[];
  /** New rows may still be entered, and values where there are none. */
  mayEnter?: boolean | undefined;
  /** Who may take it away or change it: the owner, or all who may change the kapsule; ADMINs always. */
  openers: 'OWNER' | 'DELETE';
}

/** A lock as one person meets it now: only conditions on the row are left. */
export interface SeenLock extends Pick<Lock, 'name' | 'fields' | 'closes' | 'mayEnter'> {
  conditions: FieldComparison[];
}

/** Whether it is the same for all persons at all times. */
export const dependsOnRowOnly = ({ conditions }: Pick<Lock, 'conditions'>): boolean =>
  conditions.every(isOnField);
