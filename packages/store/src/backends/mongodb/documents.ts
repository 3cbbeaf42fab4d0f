import { UniqueError } from '../../errors.ts';
import type { AnyNoun } from '../../nouns/all.ts';
import type { Stored } from '../../nouns/noun.ts';
import type { Documents, RecentQuery } from '../../store.ts';
import { firstVersion, nextVersion } from '../shared/document-versions.ts';
import { idSpan } from '../shared/id-span.ts';
import { indexValue, type NounShape, toShape } from './shapes.ts';

type Fields = Record<string, unknown>;

/** What is asked for: equal values of indexed fields, a span of ids, an order. */
export interface Selection {
  equal: Record<string, string>;
  from?: string;
  before?: string;
  descending?: boolean;
  limit?: number;
}

/** Where the documents of a noun are read: in the database, or in a unit of work that has changed some of them. */
export interface Source {
  get(noun: string, id: string): Promise<NounShape | undefined>;
  select(noun: string, selection: Selection): Promise<NounShape[]>;
}

/** A unit of work, seen from a noun. */
export interface Target extends Source {
  put(noun: string, shape: NounShape): void;
  drop(noun: string, id: string): void;
}

/** Runs a step that writes: in a unit of its own, or as part of one. */
export type Write = <R>(step: (target: Target) => Promise<R>) => Promise<R>;

export function documentsOf<T extends Stored>(noun: AnyNoun, source: Source, write: Write): Documents<T> {
  const parsed = (shape: NounShape) => JSON.parse(shape.doc) as T;
  const select = async (selection: Selection) => (await source.select(noun.name, selection)).map(parsed);
  return {
    async get(id) {
      const shape = await source.get(noun.name, id);
      return shape && parsed(shape);
    },
    all: () => select({ equal: {} }),
    findBy: async (index, value) => await select({ equal: { [pathOf(noun, index)]: indexValue(value) } }),
    recent: async (query) => await select(selectionOf(noun, query)),
    insert: async (document) => parsed(await write((target) => insert(target, noun, document))),
    patch: async (id, change, version) =>
      parsed(await write((target) => patch(target, noun, id, change, version))),
    remove: (id) => write((target) => remove(target, noun, id)),
    removeMany: (ids) => write((target) => removeMany(target, noun, ids)),
  };
}

function selectionOf(noun: AnyNoun, query: RecentQuery<Fields>): Selection {
  const { where = {}, limit } = query;
  const wanted = Object.entries(where).filter(([, value]) => value !== undefined);
  return {
    equal: Object.fromEntries(wanted.map(([field, value]) => [pathOf(noun, field), indexValue(value)])),
    ...idSpan(query),
    descending: true,
    limit,
  };
}

function pathOf(noun: AnyNoun, field: string): string {
  if (noun.unique.includes(field)) return `u.${field}`;
  if (noun.indexes.includes(field)) return `i.${field}`;
  throw new TypeError(`${noun.name} has no index on ${field}.`);
}

async function insert(target: Target, noun: AnyNoun, given: object): Promise<NounShape> {
  const document = firstVersion(JSON.parse(JSON.stringify(given)) as Fields);
  if (await target.get(noun.name, document.id)) throw new UniqueError(noun.name, 'id');
  const shape = toShape(noun, document);
  await refuseTaken(target, noun, shape);
  target.put(noun.name, shape);
  return shape;
}

async function patch(
  target: Target,
  noun: AnyNoun,
  id: string,
  change: object,
  version: number | undefined,
): Promise<NounShape> {
  const current = await target.get(noun.name, id);
  const before = current && (JSON.parse(current.doc) as Stored);
  const changed = JSON.parse(JSON.stringify(change)) as Fields;
  const shape = toShape(noun, nextVersion(noun.name, id, before, changed, version));
  await refuseTaken(target, noun, shape);
  target.put(noun.name, shape);
  return shape;
}

async function remove(target: Target, noun: AnyNoun, id: string): Promise<boolean> {
  if (!(await target.get(noun.name, id))) return false;
  target.drop(noun.name, id);
  return true;
}

async function removeMany(target: Target, noun: AnyNoun, ids: readonly string[]): Promise<number> {
  const found = await Promise.all(ids.map((id) => remove(target, noun, id)));
  return found.filter(Boolean).length;
}

/** The index would refuse it too, but only when the whole unit is stored. */
async function refuseTaken(target: Target, noun: AnyNoun, shape: NounShape): Promise<void> {
  for (const [field, value] of Object.entries(shape.u)) {
    const holders = await target.select(noun.name, { equal: { [`u.${field}`]: value }, limit: 2 });
    if (holders.some(({ _id }) => _id !== shape._id)) throw new UniqueError(noun.name, field);
  }
}
