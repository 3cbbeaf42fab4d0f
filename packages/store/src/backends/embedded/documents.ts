import { UniqueError } from '../../errors.ts';
import type { AnyNoun } from '../../nouns/all.ts';
import { fromStored, toStored } from '../../nouns/forms.ts';
import type { Stored } from '../../nouns/noun.ts';
import type { RecentQuery } from '../../store.ts';
import { firstVersion, nextVersion } from '../shared/document-versions.ts';
import { withoutIndex } from '../shared/held-back-index.ts';
import { idSpan } from '../shared/id-span.ts';
import type { Schema } from '../shared/schema.ts';
import type { Connection } from './connection.ts';
import { type Entry, entriesOf, indexTable, indexValue } from './noun-tables.ts';

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

  constructor(connection: Connection, noun: AnyNoun, schema: Schema) {
    this.#connection = connection;
    this.#noun = schema.withAllIndexes(noun);
    this.#schema = schema;
    this.#table = `"${noun.name}"`;
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

  findBy(field: string, value: unknown): string[] {
    const index = this.#indexOf(field);
    if (!this.#schema.isBuilt(this.#noun.name, field))
      return withoutIndex(this.#noun, this.all(), { [field]: value });
    const rows = this.#connection.all<Row>(
      `SELECT d.doc FROM ${index} i CROSS JOIN ${this.#table} d ON d.id = i.id
       WHERE i.field = ? AND i.value = ? ORDER BY i.id`,
      field,
      indexValue(value),
    );
    return rows.map((row) => row.doc);
  }

  recent(query: RecentQuery<Document>): string[] {
    const { where = {}, limit } = query;
    const span = idSpan(query);
    const wanted = Object.entries(where).filter(([, value]) => value !== undefined);
    if (wanted.some(([field]) => this.#indexOf(field) && !this.#schema.isBuilt(this.#noun.name, field))) {
      const { where: _, ...all } = query;
      return withoutIndex(this.#noun, this.recent({ ...all, limit: -1 }), where).slice(0, limit);
    }
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

  insert(text: string): string {
    return this.#insert(firstVersion(JSON.parse(text) as Document));
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
    for (const entry of entriesOf(this.#noun, document)) this.#addEntry(entry, id);
    return doc;
  }

  patch(id: string, changeText: string, version?: number): string {
    const current = this.get(id);
    const before = current === undefined ? undefined : this.#parsed(current);
    const next = nextVersion(this.#noun.name, id, before, JSON.parse(changeText) as Document, version);
    const { doc, document: after } = this.#toStore(next);
    this.#connection.run(`UPDATE ${this.#table} SET doc = ? WHERE id = ?`, doc, id);
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
    return ids.filter((id) => this.remove(id)).length;
  }

  #parsed(doc: string): Document & Stored {
    return fromStored(this.#noun, JSON.parse(doc) as Document & Stored);
  }

  /** The text in the form in force, and the document as it will be read from it, which the indexes are made of. */
  #toStore(given: Document & Stored): { doc: string; document: Document & Stored } {
    const stored = toStored(this.#noun, given, this.#schema.formOf(this.#noun)) as Document & Stored;
    return { doc: JSON.stringify(stored), document: fromStored(this.#noun, stored) };
  }

  #addEntry({ kind, field, value }: Entry, id: string): void {
    const sql = `INSERT INTO ${indexTable(this.#noun, kind)} (field, value, id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`;
    const added = this.#connection.run(sql, field, value, id);
    if (added === 0) throw new UniqueError(this.#noun.name, field);
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

function without(entries: Entry[], others: Entry[]): Entry[] {
  const key = (entry: Entry) => `${entry.kind} ${entry.field} ${entry.value}`;
  const known = new Set(others.map(key));
  return entries.filter((entry) => !known.has(key(entry)));
}
