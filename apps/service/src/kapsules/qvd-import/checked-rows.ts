import { isDeepStrictEqual } from 'node:util';
import type { QvdFileResult } from '@kaptain/contract';
import { changedFields } from '@kaptain/contract/approval-rules';
import { type Refusal, type RowCheck, rowCheck, shownName } from '@kaptain/contract/field-rules';
import { fieldTypes, inFiles, isThread, textRefusal } from '@kaptain/contract/fields';
import { ownValue } from '@kaptain/contract/own-value';
import { searchText } from '@kaptain/store/folding';
import type { PackedRow } from '@kaptain/store/packed-rows';
import { shownKey, tooLargeMessage } from '../granules/granule-size.ts';
import { withThreads } from '../threads/kept-threads.ts';
import { RefusalTally } from '../values/refusal-tally.ts';
import { ImportRefusal } from './import-refusal.ts';
import { MadeRows } from './made-rows.ts';
import type { Reply, StoredRow, Task } from './messages.ts';
import type { WrittenRow } from './row-writer.ts';

type Data = Record<string, unknown>;
type Stored = Exclude<Reply, 'more'>;
type Changes = NonNullable<QvdFileResult['changes']>;

/** A closed row that stays as it is. */
const asStored = ([key, , , createdAt]: PackedRow, { user, data }: StoredRow): PackedRow => [
  key,
  user,
  JSON.stringify(data),
  createdAt,
  null,
  searchText(key, user, data),
];

/**
 * Checks the rows of one file by the rules of their fields, beside the stored rows where that can matter: a value that stays as it is
 * stored is never refused.
 */
export class CheckedRows {
  readonly tally: RefusalTally;
  /** Only in a dry run. */
  readonly changes: Changes = { new: 0, changed: 0, unchanged: 0, revived: 0 };
  readonly #task: Task;
  readonly #check: RowCheck;
  /** By the rows of all files of the import. */
  readonly #made: MadeRows;
  readonly #threads: ReadonlySet<string>;
  readonly #lookUp: (keys: string[]) => Promise<Stored>;

  constructor(task: Task, lookUp: (keys: string[]) => Promise<Stored>, made = new MadeRows(task)) {
    this.#task = task;
    this.#made = made;
    this.tally = new RefusalTally(Math.max(1, task.files.length));
    this.#check = rowCheck(task.structure.fields, task.known, task.locks);
    const threads = task.structure.fields.filter(({ type }) => isThread(type));
    this.#threads = new Set(threads.map(({ name }) => name));
    this.#lookUp = lookUp;
  }

  /** The rows that may be stored, in the form in which they are. */
  async accept(rows: readonly WrittenRow[]): Promise<PackedRow[]> {
    const alone = rows.map((row) => this.#alone(row));
    const { isDryRun } = this.#task;
    const asked = rows.filter((_, index) => isDryRun || alone[index] === undefined);
    if (asked.length === 0) return alone.filter((row) => row !== undefined);
    const nextStored = this.#storedInTurn(asked.map(({ row: [key] }) => key));
    const good: PackedRow[] = [];
    for (const [index, row] of rows.entries()) {
      const ofRow = alone[index];
      if (ofRow && !isDryRun) {
        good.push(ofRow);
        continue;
      }
      const { stored, deleted } = await nextStored();
      const checked = ofRow ?? this.#beside(row, stored);
      if (!checked) continue;
      if (isDryRun) this.#count(checked, stored, deleted);
      good.push(checked);
    }
    return good;
  }

  /** What is stored under each of these keys in turn; only the rows of one answer are held. */
  #storedInTurn(keys: string[]) {
    let page: Stored = { rows: [], deleted: new Set() };
    let [first, next] = [0, 0];
    return async () => {
      if (next === first + page.rows.length) {
        page = await this.#lookUp(keys.slice(next));
        first = next;
      }
      const stored = page.rows[next - first] ?? null;
      next += 1;
      return { stored, deleted: page.deleted };
    };
  }

  /** Undefined when the stored row must be seen. */
  #alone({ row, isSuspect }: WrittenRow): PackedRow | undefined {
    if (this.#check.needsStored || this.#task.approved.length > 0) return undefined;
    if (!isSuspect) return row;
    const { data, refusals } = this.#check.check(JSON.parse(row[2]) as Data);
    return refusals.length === 0 ? this.#withData(row, data) : undefined;
  }

  #beside({ row }: WrittenRow, stored: StoredRow | null): PackedRow | undefined {
    const given = JSON.parse(row[2]) as Data;
    const beside = this.#made.beside(row[0], given, stored?.data ?? null);
    const { data, refusals, keepsAuthor } = this.#check.check(given, beside);
    refusals.push(...this.#unapproved(data, stored));
    if (refusals.length > 0) {
      this.tally.add(
        row[0],
        refusals.map((refusal) => this.#explained(refusal)),
      );
      return undefined;
    }
    this.#made.add(row[0], data);
    // An earlier row of the file may have written a value for the first time.
    const isKept = keepsAuthor && stored && beside === stored.data;
    const checked = isKept ? asStored(row, stored) : this.#withData(row, data);
    // The check holds as long as this version does; a data source lets no other caller write before the end of the import.
    if (!this.#task.isInSource) checked[4] = stored?.version ?? 0;
    return checked;
  }

  #unapproved(data: Data, stored: StoredRow | null): Refusal[] {
    const { approved, structure } = this.#task;
    return changedFields(approved, data, stored?.data ?? null).map((name) => {
      const field = structure.fields.find((one) => one.name === name) ?? { name };
      const message = `${shownName(field)} can’t be changed by an import: its changes need approval!`;
      return { field: name, rule: 'approval', value: ownValue(data, name) ?? null, message };
    });
  }

  /** A text of a file with two meanings is told both. */
  #explained(refusal: Refusal): Refusal {
    const { field: name, rule, value } = refusal;
    const field = this.#task.structure.fields.find((one) => one.name === name);
    if (rule !== 'type' || !field || typeof value !== 'string') return refusal;
    const text = textRefusal(fieldTypes[field.type], value, inFiles);
    return { ...refusal, message: `${shownName(field)} ${text}` };
  }

  #withData(row: PackedRow, given: Data): PackedRow {
    const [key, user, before, createdAt, version, search] = row;
    const filled = Object.entries(given).filter(([, value]) => value !== null);
    const data = JSON.stringify(Object.fromEntries(filled));
    if (data === before) return row;
    const bytes = Buffer.byteLength(data);
    const { granuleBytes, isDryRun } = this.#task;
    if (bytes > granuleBytes)
      throw new ImportRefusal(tooLargeMessage(shownKey(key), bytes, granuleBytes), 'TOO_LARGE');
    const text = isDryRun ? search : searchText(key, user, Object.fromEntries(filled));
    return [key, user, data, createdAt, version, text];
  }

  #count([key, user, text]: PackedRow, stored: StoredRow | null, deleted: ReadonlySet<string>): void {
    if (!stored) this.changes[deleted.has(key) ? 'revived' : 'new'] += 1;
    else this.changes[stored.user === user && this.#isSame(text, stored.data) ? 'unchanged' : 'changed'] += 1;
  }

  /** The service's own store compares texts, a data source columns. */
  #isSame(text: string, stored: Data): boolean {
    if (text === JSON.stringify(stored)) return true;
    if (!this.#task.isInSource && this.#threads.size === 0) return false;
    const data = withThreads(JSON.parse(text) as Data, stored, this.#threads, true);
    return this.#task.isInSource
      ? isDeepStrictEqual(data, stored)
      : JSON.stringify(data) === JSON.stringify(stored);
  }
}
