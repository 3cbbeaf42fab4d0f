import type { KeptRow } from '../model/edited-row.ts';
import { type CommentWriter, isPending, type PendingComment } from '../thread/comment-outbox.ts';

/** The part of the browser that keeps edits: storage of the origin, and locks that end with their page. */
export interface Keeping {
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;
  locks: Pick<LockManager, 'request'>;
}

/** The edits of one person that a closed page has left. */
export interface KeptEdits {
  author: string;
  /** Absent in edits that an earlier version of this page kept. */
  person?: string;
  rows: KeptRow[];
  comments: PendingComment[];
}

const PREFIX = 'kaptain.edits';

/** The storage and the locks of the browser; undefined where a policy or a page without https forbids them. */
function browserKeeping(): Keeping | undefined {
  try {
    const { locks } = navigator as Partial<Navigator>;
    return locks && { storage: localStorage, locks };
  } catch {
    return undefined;
  }
}

/**
 * Keeps the unsent edits of a page in the browser. Each page has an entry of its own and holds its lock; an entry whose
 * lock is free belongs to a page that is gone.
 */
export class EditKeeper {
  readonly #keeping: Keeping | undefined;
  readonly #prefix: string;
  readonly #name: string;
  #isLocked = false;

  constructor(serviceUrl: string, kapsuleId: string, keeping = browserKeeping()) {
    this.#keeping = keeping;
    this.#prefix = `${PREFIX} ${serviceUrl} ${kapsuleId} `;
    this.#name = `${this.#prefix}${crypto.randomUUID()}`;
  }

  /** Whether the edits are safe when the page is closed. */
  write(
    { author, person }: CommentWriter,
    rows: readonly KeptRow[],
    comments: readonly PendingComment[],
  ): boolean {
    if (!this.#keeping) return false;
    const isEmpty = rows.length === 0 && comments.length === 0;
    try {
      if (isEmpty) this.#keeping.storage.removeItem(this.#name);
      else this.#keeping.storage.setItem(this.#name, JSON.stringify({ author, person, rows, comments }));
    } catch {
      return false;
    }
    if (!this.#isLocked && !isEmpty) {
      this.#isLocked = true;
      // Held until the page is gone.
      void this.#keeping.locks.request(this.#name, () => new Promise(() => undefined));
    }
    return true;
  }

  /** The edits of closed pages, of all people. */
  async left(): Promise<KeptEdits[]> {
    const left: KeptEdits[] = [];
    await this.#visit((edits) => void left.push(edits));
    return left;
  }

  /** Takes what this person has left, once. */
  async take({ author, person }: CommentWriter): Promise<KeptEdits> {
    const taken: KeptEdits = { author, person, rows: [], comments: [] };
    await this.#visit((edits, remove) => {
      // Edits that an earlier version kept have only a name: without this comparison they would be lost.
      if (edits.person === undefined ? edits.author !== author : edits.person !== person) return;
      taken.rows.push(...edits.rows);
      taken.comments.push(...edits.comments);
      remove();
    });
    return taken;
  }

  async #visit(visit: (edits: KeptEdits, remove: () => void) => void): Promise<void> {
    if (!this.#keeping) return;
    const { storage, locks } = this.#keeping;
    for (const name of this.#others()) {
      await locks.request(name, { ifAvailable: true }, (lock) => {
        const edits = lock ? readEdits(storage.getItem(name)) : undefined;
        if (edits) visit(edits, () => storage.removeItem(name));
      });
    }
  }

  #others(): string[] {
    const { storage } = this.#keeping ?? {};
    const names = Array.from({ length: storage?.length ?? 0 }, (_, index) => storage?.key(index) ?? '');
    return names.filter((name) => name.startsWith(this.#prefix) && name !== this.#name);
  }
}

/** Other scripts of the page may write into its storage: what has another form is left alone. */
function readEdits(text: string | null): KeptEdits | undefined {
  try {
    const { author, person, rows, comments = [] } = JSON.parse(text ?? '') as Partial<KeptEdits>;
    const areRows = Array.isArray(rows) && rows.every(isRow);
    const areComments = Array.isArray(comments) && comments.every(isPending);
    if (typeof author !== 'string' || !areRows || !areComments) return undefined;
    return { author, ...(typeof person === 'string' && { person }), rows, comments };
  } catch {
    return undefined;
  }
}

const isPairs = (value: unknown): boolean =>
  Array.isArray(value) && value.every((pair) => Array.isArray(pair) && typeof pair[0] === 'string');

const areTexts = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every((texts) => Array.isArray(texts) && texts.every((text) => typeof text === 'string'));

const isRow = (row: unknown): row is KeptRow => {
  const { key, edits, before, invalid = [] } = (row ?? {}) as Partial<KeptRow>;
  return typeof key === 'string' && isPairs(edits) && isPairs(before) && areTexts(invalid);
};
