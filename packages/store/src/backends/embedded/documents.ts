import { UniqueError } from '../../errors.ts';
import type { AnyNoun } from '../../nouns/all.ts';
import { fromStored, toStored } from '../../nouns/forms.ts';
import type { Stored } from '../../nouns/noun.ts';
import type { RecentQuery, StoredSize } from '../../store.ts';
import { firstVersion, nextVersion } from '../shared/document-versions.ts';
import { idSpan } from '../shared/id-span.ts';
import { sizeOf } from '../shared/size-of.ts';
import type { Schema } from '../shared/upgrades/schema.ts';
import { withoutIndex } from '../shared/upgrades/without-index.ts';
import type { Connection } from './connection.ts';
import { indexedThrough, justAfter, LATE, moveIndexedThrough } from './late-indexes.ts';
import { type Entry, entriesOf, indexTable, indexValue } from './noun-tables.ts';
import { DOCUMENT_CHUNK_CHARACTERS, INDEX_STEP_DOCUMENTS, INDEX_STEP_LEAST_DOCUMENTS } from './tuning.ts';
import { endsForOthers } from './waiting-writes.ts';

type Document = Record<string, unknown>;

interface Row {
  doc: string;
}

/** The documents of one noun on one connection, as JSON text, because threads exchange text. */
export class DocumentTable {
  readonly #connection: Connection;
  readonly #noun: AnyNoun;
  readonly #schema: Schema;
  readonly #table: string;
  readonly #isLate: boolean;

  constructor(connection: Connection, noun: AnyNoun, schema: Schema) {
    this.#connection = connection;
    this.#noun = schema.withAllIndexes(noun);
    this.#schema = schema;
    this.#table = `"${noun.name}"`;
    this.#isLate = noun.name === LATE;
  }

  get(id: string): string | undefined {
    const row = this.#connection.get(`SELECT doc FROM ${this.#table} WHERE id = ?`, id) as Row | undefined;
    return row?.doc;
  }

  versionOf(id: string): number | undefined {
    const sql = `SELECT doc ->> '$.version' AS version FROM ${this.#table} WHERE id = ?`;
    return (this.#connection.get(sql, id) as { version: number } | undefined)?.version;
  }

  all(): string[] {
    return this.#connection.all<Row>(`SELECT doc FROM ${this.#table} ORDER BY id`).map((row) => row.doc);
  }

  /** The next documents after this id: about one megabyte, and at least one document. */
  some(after: string): { docs: string[]; last: string | undefined } {
    const docs: string[] = [];
    let [bytes, last]: [number, string | undefined] = [0, undefined];
    const next = `SELECT id, doc FROM ${this.#table} WHERE id > ? ORDER BY id`;
    for (const [id, doc] of this.#connection.each(next, after)) {
      docs.push(doc as string);
      last = id as string;
      bytes += (doc as string).length;
      if (bytes > DOCUMENT_CHUNK_CHARACTERS) break;
    }
    return { docs, last };
  }

  findBy(field: string, value: unknown): string[] {
    const index = this.#indexOf(field);
    if (!this.#schema.isBuilt(this.#noun.name, field))
      return withoutIndex(this.#noun, this.all(), { [field]: value });
    if (this.#isLate) return this.recent({ where: { [field]: value }, limit: -1 }).toReversed();
    const rows = this.#connection.all<Row>(
      `SELECT d.doc FROM ${index} i CROSS JOIN ${this.#table} d ON d.id = i.id
       WHERE i.field = ? AND i.value = ? ORDER BY i.id`,
      field,
      indexValue(value),
    );
    return rows.map((row) => row.doc);
  }

  sizeBy(field: string, value: unknown): StoredSize {
    const index = this.#indexOf(field);
    if (this.#isLate || !this.#schema.isBuilt(this.#noun.name, field))
      return sizeOf(this.findBy(field, value));
    const sql = `
      SELECT count(*) AS count, coalesce(sum(octet_length(d.doc)), 0) AS bytes
      FROM ${index} i CROSS JOIN ${this.#table} d ON d.id = i.id WHERE i.field = ? AND i.value = ?`;
    return this.#connection.get(sql, field, indexValue(value)) as StoredSize;
  }

  recent(query: RecentQuery<Document>): string[] {
    const { where = {}, limit } = query;
    const wanted = Object.entries(where).filter(([, value]) => value !== undefined);
    if (wanted.some(([field]) => this.#indexOf(field) && !this.#schema.isBuilt(this.#noun.name, field))) {
      const { where: _, ...all } = query;
      return firstOf(withoutIndex(this.#noun, this.recent({ ...all, limit: -1 }), where), limit);
    }
    const span = idSpan(query);
    if (!this.#isLate || wanted.length === 0) return this.#indexed(wanted, span, limit);
    // Documents that the indexes do not know yet are newer than all others.
    const end = justAfter(indexedThrough(this.#connection));
    const tail = this.#indexed([], { ...span, from: span.from > end ? span.from : end }, -1);
    const newest = firstOf(withoutIndex(this.#noun, tail, where), limit);
    if (newest.length === limit) return newest;
    const rest = limit < 0 ? limit : limit - newest.length;
    const before = span.before < end ? span.before : end;
    return [...newest, ...this.#indexed(wanted, { ...span, before }, rest)];
  }

  #indexed(wanted: [string, unknown][], span: ReturnType<typeof idSpan>, limit: number): string[] {
    // Each index is in the order of ids: the first one drives the join, so that no other document is read.
    const leader = wanted.length > 0 ? 'i0' : 'd';
    const sources = [...wanted.map(([field], n) => `${this.#indexOf(field)} i${n}`), `${this.#table} d`];
    const matches = wanted.map(
      (_, n) => `i${n}.field = ? AND i${n}.value = ? AND i${n}.id = i0.id AND d.id = i0.id AND`,
    );
    const rows = this.#connection.all<Row>(
      `SELECT d.doc FROM ${sources.join(' CROSS JOIN ')}
       WHERE ${matches.join(' ')} ${leader}.id < ? AND ${leader}.id >= ? ORDER BY ${leader}.id DESC LIMIT ?`,
      ...wanted.flatMap(([field, value]) => [field, indexValue(value)]),
      span.before,
      span.from,
      limit,
    );
    return rows.map((row) => row.doc);
  }

  insert(text: string, after?: number): string {
    return this.#insert(firstVersion(JSON.parse(text) as Document, after));
  }

  /** The same for a document that has its id and its version already. */
  insertFirst(document: Document & Stored): void {
    this.#insert(document);
  }

  /** Stores a document unchanged, its version included, in place of the one with its id. */
  put(document: Stored): void {
    this.remove(document.id);
    this.#insert({ ...document });
  }

  #insert(given: Document & Stored): string {
    const { doc, document } = this.#toStore(given);
    const { id } = document;
    const isNew = this.#connection.run(
      `INSERT INTO ${this.#table} (id, doc) VALUES (?, ?) ON CONFLICT DO NOTHING`,
      id,
      doc,
    );
    if (isNew === 0) throw new UniqueError(this.#noun.name, 'id');
    // An entry of another process may come late, with an id that the indexes have passed.
    if (!this.#isLate || id <= indexedThrough(this.#connection))
      for (const entry of entriesOf(this.#noun, document)) this.#addEntry(entry, id);
    return doc;
  }

  /** Makes index entries of some documents that have none yet; returns false when all have theirs. */
  indexMore(): boolean {
    const isEnough = endsForOthers();
    const next = `SELECT id, doc FROM ${this.#table} WHERE id > ? ORDER BY id LIMIT ${INDEX_STEP_DOCUMENTS}`;
    let [count, last]: [number, string | undefined] = [0, undefined];
    for (const [id, doc] of this.#connection.each(next, indexedThrough(this.#connection))) {
      last = id as string;
      this.#indexLate(last, doc as string);
      count += 1;
      if (count >= INDEX_STEP_LEAST_DOCUMENTS && isEnough()) break;
    }
    if (last !== undefined) moveIndexedThrough(this.#connection, last);
    return last !== undefined;
  }

  #indexLate(id: string, doc: string): void {
    let document: Document;
    try {
      document = this.#parsed(doc);
    } catch {
      // A damaged document is found by its id alone, and must not keep the later ones from their indexes.
      return;
    }
    for (const entry of entriesOf(this.#noun, document)) this.#ensureEntry(entry, id);
  }

  patch(id: string, changeText: string, version?: number): string {
    const current = this.get(id);
    const before = current === undefined ? undefined : this.#parsed(current);
    const next = nextVersion(this.#noun.name, id, before, JSON.parse(changeText) as Document, version);
    const { doc, document: after } = this.#toStore(next);
    this.#connection.run(`UPDATE ${this.#table} SET doc = ? WHERE id = ?`, doc, id);
    if (this.#isLate && id > indexedThrough(this.#connection)) return doc;
    const old = before ? entriesOf(this.#noun, before) : [];
    const fresh = entriesOf(this.#noun, after);
    for (const entry of without(old, fresh)) this.#dropEntry(entry, id);
    for (const entry of without(fresh, old)) this.#addEntry(entry, id);
    return doc;
  }

  remove(id: string): boolean {
    const current = this.get(id);
    if (current === undefined) return false;
    for (const entry of entriesOf(this.#noun, this.#parsed(current))) this.#dropEntry(entry, id);
    this.#connection.run(`DELETE FROM ${this.#table} WHERE id = ?`, id);
    return true;
  }

  removeMany(ids: readonly string[]): number {
    const { unique, indexes } = this.#noun;
    if (unique.length + indexes.length > 0) return ids.filter((id) => this.remove(id)).length;
    const sql = `DELETE FROM ${this.#table} WHERE id IN (SELECT value FROM json_each(?))`;
    return this.#connection.run(sql, JSON.stringify(ids));
  }

  #parsed(doc: string): Document & Stored {
    return fromStored(this.#noun, JSON.parse(doc) as Document & Stored);
  }

  /** The text in the active form, and the document as it will be read from it, which the indexes are made of. */
  #toStore(given: Document & Stored): { doc: string; document: Document & Stored } {
    const stored = toStored(this.#noun, given, this.#schema.formOf(this.#noun)) as Document & Stored;
    return { doc: JSON.stringify(stored), document: fromStored(this.#noun, stored) };
  }

  #addEntry(entry: Entry, id: string): void {
    if (this.#ensureEntry(entry, id) === 0) throw new UniqueError(this.#noun.name, entry.field);
  }

  /** Returns 0 when it is there already. */
  #ensureEntry({ kind, field, value }: Entry, id: string): number {
    const sql = `INSERT INTO ${indexTable(this.#noun, kind)} (field, value, id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`;
    return this.#connection.run(sql, field, value, id);
  }

  #dropEntry({ kind, field, value }: Entry, id: string): void {
    const sql = `DELETE FROM ${indexTable(this.#noun, kind)} WHERE field = ? AND value = ? AND id = ?`;
    this.#connection.run(sql, field, value, id);
  }

  #indexOf(field: string): string {
    if (this.#noun.unique.includes(field)) return indexTable(this.#noun, 'unique');
    if (this.#noun.indexes.includes(field)) return indexTable(this.#noun, 'index');
    throw new TypeError(`${this.#noun.name} has no index on ${field}.`);
  }
}

/** The first ones; all of them with -1. */
const firstOf = (docs: string[], limit: number) => (limit < 0 ? docs : docs.slice(0, limit));

function without(entries: Entry[], others: Entry[]): Entry[] {
  const key = (entry: Entry) => `${entry.kind} ${entry.field} ${entry.value}`;
  const otherKeys = new Set(others.map(key));
  return entries.filter((entry) => !otherKeys.has(key(entry)));
}
