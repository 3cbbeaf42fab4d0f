import type { SortField } from '@kaptain/contract/field-conditions';
import type { Binary } from 'mongodb';
import type { AnyNoun } from '../../nouns/all.ts';
import type { ActiveSchema } from '../shared/upgrades/schema.ts';

/** A document of a noun. Its text is JSON, which holds what BSON can't: any key, and half of a surrogate pair. */
export interface NounShape {
  _id: string;
  doc: string;
  /** The values of unique fields … */
  u: Record<string, string>;
  /** … and those of the other indexes; a list has each of its members once. */
  i: Record<string, string | string[]>;
}

/** The counters of a kapsule. */
export interface Counter {
  _id: string;
  /** Names the granules of this kapsule; after a purge the same kapsule gets another one. */
  k: string;
  total: number;
  reloaded: number;
  deleted: number;
  /** States of later changes do not exist yet. */
  lastChange: number;
  reloadedThrough: number;
}

/**
 * A granule from one change to another; it is never edited, only ended. A reader that knows the last change S of a
 * kapsule sees the states with `from` <= S < `to`: one moment, however long it reads and whatever is written.
 */
export interface State {
  _id: string;
  k: string;
  id: string;
  key: string;
  user: string;
  data: string;
  search: string;
  version: number;
  /** When user and data were written; deleting does not move it. */
  change: number;
  from: number;
  to: number;
  createdAt: string;
  updatedAt: string;
  dead: boolean;
  deletedAt: string | null;
  deletedBy: string | null;
  /** The user who restored it from the deleted state before. */
  restoredBy: string | null;
  /** Kapsule and key, as long as no later state ends this one: the index on it keeps keys unique. */
  current?: string;
  /** The import that hides it. */
  import?: string;
}

/** The index of a field of a kapsule. It knows every granule as it was at the change `through`. */
export interface FieldIndex {
  /** Names the kapsule, the type and the field. */
  _id: string;
  k: string;
  name: string;
  type: SortField['type'];
  through: number;
  createdAt: number;
  usedAt: number;
}

/** The value that a state of a granule is sorted by: true for one of another type, null for an empty one. */
export interface FieldEntry {
  _id: string;
  /** The index that it belongs to. */
  n: string;
  v: number | string | true | null;
  id: string;
  /** The `_id` of the state. */
  s: string;
}

export interface Day {
  _id: string;
  k: string;
  day: string;
  changes: number;
}

/** The lease of one import on a kapsule, whose hidden states are its own; `beat` counts its renewals. */
export interface ImportLease {
  _id: string;
  name: string;
  beat: number;
}

/** A row of an import that replaces something, until it is published. */
export interface Staged {
  _id: string;
  k: string;
  n: number;
  row: [key: string, user: string, data: string, createdAt: string | null, version: number | null];
}

/** One step of a unit's journal: the document as it shall be, or its end. Doing it twice does no harm. */
export interface Op {
  in: string;
  id: string;
  doc: object | null;
  /** Its unique values go to another document of the unit, so it gives them up first. */
  yields?: boolean;
}

/** The one document that orders all writes: the lease holder, the last committed unit, the last applied one. */
export interface Head {
  _id: 'head';
  /** The revision of the document `schema`: it grows with every change of the active schema. */
  schema: number;
  holder: string | null;
  /** The session of its transactions, on a replica set. Absent before the first holder of this version. */
  session?: Binary;
  /** Counts the renewals of the lease. */
  beat: number;
  mark: number;
  applied: number;
  /** Another one with every mark: after a failover a mark that was lost may come back with another unit. */
  stamp: string;
  /** The unit `mark`, while it is being applied: its steps, or how many documents of `journal` hold them. */
  journal: Op[] | null;
  parts: number;
  /** Kapsules with states that are written before their commit, where no reader sees them. */
  touching: string[];
}

/** The schema of the database. */
export interface SchemaRecord extends ActiveSchema {
  _id: 'schema';
  /** How many steps were done, and how many a version must know to work with their result. */
  done: number;
  least: number;
}

/** One running instance of the service; `beat` counts while it lives. */
export interface Instance {
  _id: string;
  schema: number;
  beat: number;
}

export const FOR_EVER = Number.MAX_SAFE_INTEGER;

export const indexValue = (value: unknown) => JSON.stringify(value ?? null);

/** `doc` is the text of the document in the active form. */
export function toShape(
  noun: AnyNoun,
  document: Record<string, unknown> & { id: string },
  doc: string,
): NounShape {
  const unique = noun.unique.filter((field) => document[field] != null);
  const listed = (value: unknown) =>
    Array.isArray(value) ? [...new Set(value.map(indexValue))] : indexValue(value);
  return {
    _id: document.id,
    doc,
    u: Object.fromEntries(unique.map((field) => [field, indexValue(document[field])])),
    i: Object.fromEntries(noun.indexes.map((field) => [field, listed(document[field])])),
  };
}
