import type { Database } from './database.ts';
import type { Selection, Target } from './documents.ts';
import { PendingKapsule } from './granules/pending-kapsule.ts';
import type { Counter, NounShape, Op } from './shapes.ts';
import { isSelected, readAll, readOne } from './sources.ts';

interface Document {
  _id: string;
}

/** The reads of a small write, so that all writes of a group read together. */
export interface Needs {
  documents: readonly (readonly [collection: string, id: string])[];
  kapsuleId: string;
  /** Of granules of this kapsule. */
  keys: readonly string[];
}

/**
 * The writes of a unit of work, in memory until the commit. A step that fails is undone alone. Reads see the stored
 * documents with these writes on top; no other unit writes meanwhile, because this one holds the lease.
 */
export class PendingWrites implements Target {
  readonly database: Database;
  /** Clean-up that runs after the commit and may fail. */
  readonly afterwards: (() => Promise<unknown>)[] = [];
  readonly #loaded = new Map<string, Document | null>();
  readonly #changed = new Map<string, Map<string, Document | null>>();
  readonly #kapsules = new Map<string, PendingKapsule | null>();
  readonly #undo: (() => void)[] = [];

  constructor(database: Database) {
    this.database = database;
  }

  /** Kapsules with other granules than before. */
  get kapsules(): PendingKapsule[] {
    return [...this.#kapsules.values()].filter((kapsule) => kapsule !== null);
  }

  /** The kapsules that others see changed by this unit, with their counters; undefined for a purged one. */
  get touched(): Map<string, Counter | undefined> {
    // An import makes a counter before its first row, which changes nothing that a reader sees.
    const isTouched = (kapsule: PendingKapsule | null) =>
      !kapsule || (kapsule.isChanged && kapsule.counter.lastChange > 0);
    const touched = [...this.#kapsules].filter(([, kapsule]) => isTouched(kapsule));
    return new Map(touched.map(([id, kapsule]) => [id, kapsule?.counter]));
  }

  async step<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#undo.length;
    try {
      return await work();
    } catch (error) {
      while (this.#undo.length > before) this.#undo.pop()?.();
      throw error;
    }
  }

  onUndo(undo: () => void): void {
    this.#undo.push(undo);
  }

  async get(noun: string, id: string): Promise<NounShape | undefined> {
    return await this.document<NounShape>(noun, id);
  }

  async document<T extends Document>(collection: string, id: string): Promise<T | undefined> {
    const changed = this.#changed.get(collection)?.get(id);
    if (changed !== undefined) return (changed ?? undefined) as T | undefined;
    const name = `${collection}/${id}`;
    const loaded = this.#loaded.get(name);
    if (loaded !== undefined) return (loaded ?? undefined) as T | undefined;
    const stored = await readOne(this.database, collection, id);
    this.#loaded.set(name, stored ?? null);
    return stored as T | undefined;
  }

  /** Reads what the writes of a group need: one query for each collection and kapsule instead of some for each write. */
  async preload(needs: readonly Needs[]): Promise<void> {
    const wanted = needs.flatMap(({ documents, kapsuleId }) => [
      ...documents,
      ['granule_counts', kapsuleId] as const,
    ]);
    await Promise.all(
      [...Map.groupBy(wanted, ([collection]) => collection)].map(([collection, list]) =>
        this.#load(
          collection,
          list.map(([, id]) => id),
        ),
      ),
    );
    const byKapsule = Map.groupBy(needs, ({ kapsuleId }) => kapsuleId);
    await Promise.all(
      [...byKapsule].map(async ([kapsuleId, list]) => {
        const kapsule = await this.kapsule(kapsuleId, false);
        await kapsule?.preload(list.flatMap(({ keys }) => keys));
      }),
    );
  }

  async #load(collection: string, ids: readonly string[]): Promise<void> {
    const unique = [...new Set(ids)];
    const found = await this.database
      .any(collection)
      .find({ _id: { $in: unique } })
      .toArray();
    const byId = new Map(found.map((document) => [document._id, document]));
    for (const id of unique) this.#loaded.set(`${collection}/${id}`, byId.get(id) ?? null);
  }

  async select(noun: string, selection: Selection): Promise<NounShape[]> {
    const changed = this.#changed.get(noun) as Map<string, NounShape | null> | undefined;
    if (!changed) return await readAll(this.database, noun, selection);
    const { limit, descending = false } = selection;
    const stored = await readAll(this.database, noun, {
      ...selection,
      // As many more as the changes may take away.
      ...(limit !== undefined && { limit: limit + changed.size }),
    });
    const own = [...changed.values()].filter((shape) => shape !== null && isSelected(shape, selection));
    const all = [...stored.filter(({ _id }) => !changed.has(_id)), ...(own as NounShape[])];
    all.sort((a, b) => (a._id < b._id === descending ? 1 : -1));
    return limit === undefined ? all : all.slice(0, limit);
  }

  put(collection: string, document: Document): void {
    this.#change(collection, document._id, document);
  }

  drop(collection: string, id: string): void {
    this.#change(collection, id, null);
  }

  /** The kapsule's granules in this unit; undefined when it has none and `orNew` is not set. */
  async kapsule(kapsuleId: string, orNew: true): Promise<PendingKapsule>;
  async kapsule(kapsuleId: string, orNew: boolean): Promise<PendingKapsule | undefined>;
  async kapsule(kapsuleId: string, orNew: boolean): Promise<PendingKapsule | undefined> {
    const pendingKapsule = this.#kapsules.get(kapsuleId);
    if (pendingKapsule) return pendingKapsule;
    const loaded = pendingKapsule === null ? undefined : await PendingKapsule.load(this, kapsuleId);
    const kapsule = loaded ?? (orNew ? PendingKapsule.fresh(this, kapsuleId) : undefined);
    if (kapsule) this.#setKapsule(kapsuleId, kapsule);
    return kapsule;
  }

  forgetKapsule(kapsuleId: string): void {
    this.#setKapsule(kapsuleId, null);
  }

  /** The journal of the unit. */
  ops(): Op[] {
    return [...this.#changed].flatMap(([collection, changes]) => opsOf(collection, changes, this.#loaded));
  }

  #setKapsule(kapsuleId: string, kapsule: PendingKapsule | null): void {
    const before = this.#kapsules.get(kapsuleId);
    this.#kapsules.set(kapsuleId, kapsule);
    this.onUndo(() => {
      if (before === undefined) this.#kapsules.delete(kapsuleId);
      else this.#kapsules.set(kapsuleId, before);
    });
  }

  #change(collection: string, id: string, document: Document | null): void {
    const changes = this.#changed.get(collection) ?? new Map<string, Document | null>();
    this.#changed.set(collection, changes);
    const before = changes.get(id);
    changes.set(id, document);
    this.onUndo(() => {
      if (before === undefined) changes.delete(id);
      else changes.set(id, before);
    });
  }
}

function opsOf(
  collection: string,
  changes: Map<string, Document | null>,
  loaded: Map<string, Document | null>,
): Op[] {
  const uniqueOf = (document: Document | null | undefined) =>
    Object.entries((document as Partial<NounShape> | null | undefined)?.u ?? {}).map((entry) =>
      entry.join('='),
    );
  const taken = new Map<string, string>();
  for (const [id, document] of changes) for (const value of uniqueOf(document)) taken.set(value, id);
  return [...changes].map(([id, doc]) => {
    const before = uniqueOf(loaded.get(`${collection}/${id}`));
    const yields = before.some((value) => (taken.get(value) ?? id) !== id);
    return { in: collection, id, doc, ...(yields && { yields }) };
  });
}
