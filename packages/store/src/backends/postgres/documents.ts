import { UniqueError } from '../../errors.ts';
import { isId } from '../../ids.ts';
import type { AnyNoun } from '../../nouns/all.ts';
import { fromStored, toStored } from '../../nouns/forms.ts';
import type { Stored } from '../../nouns/noun.ts';
import type { RecentQuery, StoredSize } from '../../store.ts';
import { firstVersion, nextVersion } from '../shared/document-versions.ts';
import { idSpan } from '../shared/id-span.ts';
import { sizeOf } from '../shared/size-of.ts';
import type { Schema } from '../shared/upgrades/schema.ts';
import { withoutIndex } from '../shared/upgrades/without-index.ts';
import { type Keys, keyOf, keysOf } from './document-keys.ts';
import { codeOf } from './driver-errors.ts';
import { fieldOfIndex, tableOf } from './noun-tables.ts';
import type { Session, Statement } from './session.ts';

type Document = Record<string, unknown>;

const UNIQUE_VIOLATION = '23505';
const NO_LIMIT = 2_147_483_647;

interface Row {
  doc: string;
}

/** The documents of one noun as JSON text, on whichever connection a call brings along. */
export class DocumentTable {
  readonly #declared: AnyNoun;
  readonly #schema: Schema;
  readonly #table: string;

  constructor(noun: AnyNoun, schema: Schema) {
    this.#declared = noun;
    this.#schema = schema;
    this.#table = tableOf(noun.name);
  }

  /** The active schema may change while the store is open. */
  get #noun(): AnyNoun {
    return this.#schema.withAllIndexes(this.#declared);
  }

  async get(session: Session, id: string): Promise<string | undefined> {
    // Only ids are stored, and PostgreSQL refuses some other texts.
    if (!isId(id)) return undefined;
    const sql = this.#statement('get', `SELECT doc FROM ${this.#table} WHERE id = $1`);
    return (await session.get<Row>(sql, id))?.doc;
  }

  all(session: Session): Promise<string[]> {
    return docsOf(session.all<Row>(this.#statement('all', `SELECT doc FROM ${this.#table} ORDER BY id`)));
  }

  async findBy(session: Session, field: string, value: unknown): Promise<string[]> {
    const sql = `SELECT doc FROM ${this.#table} WHERE ${this.#equals(field, 1)} ORDER BY id`;
    if (!this.#schema.isBuilt(this.#noun.name, field))
      return withoutIndex(this.#noun, await this.all(session), { [field]: value });
    return docsOf(session.all<Row>(this.#statement(`find ${field}`, sql), keyOf(value)));
  }

  async sizeBy(session: Session, field: string, value: unknown): Promise<StoredSize> {
    if (!this.#schema.isBuilt(this.#noun.name, field))
      return sizeOf(await this.findBy(session, field, value));
    const sql = `
      SELECT count(*)::float8 AS count, coalesce(sum(octet_length(doc)), 0)::float8 AS bytes
      FROM ${this.#table} WHERE ${this.#equals(field, 1)}`;
    const found = await session.get<StoredSize>(this.#statement(`size ${field}`, sql), keyOf(value));
    return found ?? { count: 0, bytes: 0 };
  }

  async recent(session: Session, query: RecentQuery<Document>): Promise<string[]> {
    const { where = {}, limit } = query;
    const span = idSpan(query);
    const wanted = Object.entries(where).filter(([, value]) => value !== undefined);
    const matches = wanted.map(([field], n) => `${this.#equals(field, n + 4)} AND`);
    if (wanted.some(([field]) => !this.#schema.isBuilt(this.#noun.name, field))) {
      const { where: _, ...all } = query;
      const docs = await this.recent(session, { ...all, limit: NO_LIMIT });
      return withoutIndex(this.#noun, docs, where).slice(0, limit);
    }
    return docsOf(
      session.all<Row>(
        `SELECT doc FROM ${this.#table} WHERE ${matches.join(' ')} id < $1 AND id >= $2 ORDER BY id DESC LIMIT $3`,
        span.before,
        span.from,
        limit,
        ...wanted.map(([, value]) => keyOf(value)),
      ),
    );
  }

  async insert(session: Session, text: string, after = 0): Promise<string> {
    const { id, doc, keys } = this.#toStore(firstVersion(JSON.parse(text) as Document, after));
    const sql = `INSERT INTO ${this.#table} (id, version, doc, keys) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`;
    const values = [id, after + 1, doc, JSON.stringify(keys)];
    const isNew = await session.run(this.#statement('insert', sql), ...values);
    if (isNew === 0) throw new UniqueError(this.#noun.name, await this.#takenField(session, keys));
    return doc;
  }

  async patch(session: Session, id: string, changeText: string, version?: number): Promise<string> {
    const lock = this.#statement('lock', `SELECT doc FROM ${this.#table} WHERE id = $1 FOR NO KEY UPDATE`);
    const current = isId(id) ? await session.get<Row>(lock, id) : undefined;
    const before = current && fromStored(this.#noun, JSON.parse(current.doc) as Document & Stored);
    const after = nextVersion(this.#noun.name, id, before, JSON.parse(changeText) as Document, version);
    const { doc, keys: fresh } = this.#toStore(after);
    const old = keysOf(this.#noun, before ?? {});
    const sql = `UPDATE ${this.#table} SET version = $2, doc = $3, keys = $4 WHERE id = $1`;
    const update = () =>
      session.run(this.#statement('patch', sql), id, after.version, doc, JSON.stringify(fresh));
    // A refusal would end the whole unit of work, so it gets a way back where one is possible.
    const mayClash = this.#noun.unique.some((field) => old[field] !== fresh[field]);
    await (mayClash ? this.#orUniqueError(() => session.step(update)) : update());
    return doc;
  }

  async remove(session: Session, id: string): Promise<boolean> {
    const sql = this.#statement('remove', `DELETE FROM ${this.#table} WHERE id = $1`);
    return isId(id) && (await session.run(sql, id)) > 0;
  }

  removeMany(session: Session, ids: readonly string[]): Promise<number> {
    const sql = this.#statement('remove many', `DELETE FROM ${this.#table} WHERE id = ANY($1)`);
    return session.run(sql, ids.filter(isId));
  }

  /** Stores documents unchanged, their versions included, in place of those with their ids. */
  async put(session: Session, documents: readonly Stored[]): Promise<void> {
    const rows = documents.map((document) => this.#toStore({ ...document }));
    await session.run(
      `INSERT INTO ${this.#table} (id, version, doc, keys)
       SELECT id, version, doc, keys::jsonb
       FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[]) AS given (id, version, doc, keys)
       ON CONFLICT (id) DO UPDATE SET version = excluded.version, doc = excluded.doc, keys = excluded.keys`,
      documents.map(({ id }) => id),
      documents.map(({ version }) => version),
      rows.map(({ doc }) => doc),
      rows.map(({ keys }) => JSON.stringify(keys)),
    );
  }

  /** The text in the active form, and the keys of the document as it will be read from it. */
  #toStore(document: Document & Stored): { id: string; doc: string; keys: Keys } {
    const stored = toStored(this.#noun, document, this.#schema.formOf(this.#noun));
    const keys = keysOf(this.#noun, fromStored(this.#noun, stored));
    return { id: document.id, doc: JSON.stringify(stored), keys };
  }

  async #orUniqueError<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (codeOf(error) !== UNIQUE_VIOLATION) throw error;
      throw new UniqueError(
        this.#noun.name,
        fieldOfIndex((error as { constraint?: string }).constraint ?? ''),
      );
    }
  }

  async #takenField(session: Session, keys: Record<string, unknown>): Promise<string> {
    for (const field of this.#noun.unique) {
      if (keys[field] === undefined) continue;
      const sql = `SELECT id FROM ${this.#table} WHERE ${this.#equals(field, 1)}`;
      if (await session.get(sql, keys[field])) return field;
    }
    return 'id';
  }

  /** The very expression of the field's index. */
  #equals(field: string, value: number): string {
    const { name, unique, indexes, lists = [] } = this.#noun;
    if (lists.includes(field)) return `keys -> '${field}' ? $${value}`;
    if (unique.includes(field) || indexes.includes(field)) return `keys ->> '${field}' = $${value}`;
    throw new TypeError(`${name} has no index on ${field}.`);
  }

  #statement(name: string, text: string): Statement {
    return { name: `${this.#noun.name} ${name}`, text };
  }
}

async function docsOf(rows: Promise<Row[]>): Promise<string[]> {
  return (await rows).map(({ doc }) => doc);
}
