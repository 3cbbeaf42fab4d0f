import { UniqueError } from '../../errors.ts';
import type { AnyNoun } from '../../nouns/all.ts';
import { fromStored, toStored } from '../../nouns/forms.ts';
import type { Stored } from '../../nouns/noun.ts';
import type { ReadDocument } from '../../nouns/read-document.ts';
import { readDocuments } from '../../nouns/read-documents.ts';
import type { Documents } from '../../store.ts';
import { firstVersion, nextVersion } from '../shared/document-versions.ts';
import { idSpan } from '../shared/id-span.ts';
import { sizeOf } from '../shared/size-of.ts';
import type { Schema } from '../shared/upgrades/schema.ts';
import { withoutIndex } from '../shared/upgrades/without-index.ts';
import { indexValue, type NounShape, toShape } from './shapes.ts';

type Fields = Record<string, unknown>;

/** The wanted documents: equal values of indexed fields, a span of ids, an order. */
export interface Selection {
  equal: Record<string, string>;
  from?: string;
  before?: string;
  descending?: boolean;
  limit?: number;
}

/** The documents of a noun: those in the database, or those of a unit of work that has changed some of them. */
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

/** A noun and its active schema. */
interface SchemaOfNoun {
  noun: AnyNoun;
  schema: Schema;
}

export function documentsOf<T extends Stored>(
  of: SchemaOfNoun,
  toDocument: ReadDocument<T>,
  source: Source,
  write: Write,
): Documents<T> {
  const { noun } = of;
  const parsed = (shape: NounShape) => toDocument(shape.doc);
  const select = async (where: Fields, selection: Omit<Selection, 'equal'>) =>
    readDocuments(await selectDocs(of, source, where, selection), toDocument);
  return {
    async get(id) {
      const shape = await source.get(noun.name, id);
      return shape && parsed(shape);
    },
    all: () => select({}, {}),
    findBy: (index, value) => select({ [index]: value }, {}),
    // MongoDB would need an aggregation, which can't include the pending writes of a unit.
    sizeBy: async (index, value) => sizeOf(await selectDocs(of, source, { [index]: value }, {})),
    recent: ({ where = {}, limit, ...query }) =>
      select(where, { ...idSpan({ ...query, limit }), descending: true, limit }),
    insert: async (document, after) => parsed(await write((target) => insert(target, of, document, after))),
    patch: async (id, change, version) =>
      parsed(await write((target) => patch(target, of, id, change, version))),
    remove: (id) => write((target) => remove(target, noun, id)),
    removeMany: (ids) => write((target) => removeMany(target, noun, ids)),
  };
}

/** The texts of documents with these values of indexed fields. */
async function selectDocs(
  { noun, schema }: SchemaOfNoun,
  source: Source,
  where: Fields,
  { limit, ...selection }: Omit<Selection, 'equal'>,
): Promise<string[]> {
  const wanted = Object.entries(where).filter(([, value]) => value !== undefined);
  const equal = Object.fromEntries(wanted.map(([field, value]) => [pathOf(noun, field), indexValue(value)]));
  const isBuilt = wanted.every(([field]) => schema.isBuilt(noun.name, field));
  const asked = isBuilt ? { equal, ...(limit !== undefined && { limit }) } : { equal: {} };
  const found = await source.select(noun.name, { ...selection, ...asked });
  const docs = found.map(({ doc }) => doc);
  return isBuilt ? docs : withoutIndex(noun, docs, where).slice(0, limit);
}

function pathOf(noun: AnyNoun, field: string): string {
  if (noun.unique.includes(field)) return `u.${field}`;
  if (noun.indexes.includes(field)) return `i.${field}`;
  throw new TypeError(`${noun.name} has no index on ${field}.`);
}

/** The document in the active form, with the indexed values of the document that will be read from it. */
export function toStore({ noun, schema }: SchemaOfNoun, document: Fields & Stored): NounShape {
  const stored = toStored(noun, document, schema.formOf(noun)) as Fields & Stored;
  return toShape(schema.withAllIndexes(noun), fromStored(noun, stored), JSON.stringify(stored));
}

async function insert(
  target: Target,
  of: SchemaOfNoun,
  given: object,
  after: number | undefined,
): Promise<NounShape> {
  const document = firstVersion(JSON.parse(JSON.stringify(given)) as Fields, after);
  if (await target.get(of.noun.name, document.id)) throw new UniqueError(of.noun.name, 'id');
  return await put(target, of, document);
}

async function patch(
  target: Target,
  of: SchemaOfNoun,
  id: string,
  change: object,
  version: number | undefined,
): Promise<NounShape> {
  const { noun } = of;
  const current = await target.get(noun.name, id);
  const before = current && fromStored(noun, JSON.parse(current.doc) as Fields & Stored);
  const changed = JSON.parse(JSON.stringify(change)) as Fields;
  return await put(target, of, nextVersion(noun.name, id, before, changed, version));
}

async function put(target: Target, of: SchemaOfNoun, document: Fields & Stored): Promise<NounShape> {
  const shape = toStore(of, document);
  await refuseTaken(target, of.noun, shape);
  target.put(of.noun.name, shape);
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
