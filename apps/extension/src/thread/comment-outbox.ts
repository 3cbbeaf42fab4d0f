import type { ThreadComment } from '@kaptain/contract/thread-text';

/** A change of a comment that the service has not stored yet. */
export interface PendingComment {
  kind: 'add' | 'edit' | 'remove';
  key: string;
  field: string;
  id: string;
  /** The name of the person who wrote it. */
  author: string;
  /** The id of that person: the comment is never sent for another one. */
  person: string;
  text: string;
  /** Of an edit: the text that it replaces, as the service is expected to have it. */
  was: string;
  /** When it was written, by the clock of the page; the service sets the time that counts. */
  at: string;
  state: 'waiting' | 'failed';
  message: string;
  /** It was sent and not answered: the service may have stored its text, so another text needs a change of its own. */
  mayBeStored: boolean;
}

/** The author of a comment: the name is shown, the person is compared. */
export type CommentWriter = Pick<PendingComment, 'author' | 'person'>;

/** Where a thread is. */
export interface ThreadAddress {
  key: string;
  field: string;
}

const isAt =
  ({ key, field }: ThreadAddress) =>
  (one: ThreadAddress) =>
    one.key === key && one.field === field;

const newId = (): string => crypto.randomUUID().replaceAll('-', '');

const now = (): string => new Date().toISOString();

/** The comments of a page until the service has stored them, in the order in which they are sent. */
export class CommentOutbox {
  #pending: PendingComment[] = [];
  #sending: PendingComment | undefined;
  readonly #drafts = new Map<string, string>();

  at(address: ThreadAddress): PendingComment[] {
    return this.#pending.filter(isAt(address));
  }

  get waiting(): number {
    return this.#pending.filter(({ state }) => state === 'waiting').length;
  }

  get isEmpty(): boolean {
    return this.#pending.length === 0;
  }

  /** Whether texts are begun that are not sent and would be lost with the page. */
  get hasDrafts(): boolean {
    return this.#drafts.size > 0;
  }

  draftAt({ key, field }: ThreadAddress): string {
    return this.#drafts.get(JSON.stringify([key, field])) ?? '';
  }

  setDraft({ key, field }: ThreadAddress, text: string): void {
    const name = JSON.stringify([key, field]);
    if (text.trim() === '') this.#drafts.delete(name);
    else this.#drafts.set(name, text);
  }

  add({ key, field }: ThreadAddress, { author, person }: CommentWriter, text: string): void {
    this.#push({ kind: 'add', key, field, id: newId(), author, person, text, was: '' });
  }

  edit(
    { key, field }: ThreadAddress,
    { id, author, text: was }: ThreadComment,
    text: string,
    person: string,
  ): void {
    const waiting = this.#changeOf({ key, field }, id);
    const isOpen = waiting && waiting.kind !== 'remove' && waiting !== this.#sending;
    if (isOpen) Object.assign(waiting, { state: 'waiting', message: '' });
    if (isOpen && !waiting.mayBeStored) waiting.text = text;
    else this.#push({ kind: 'edit', key, field, id, author, person, text, was: isOpen ? waiting.text : was });
  }

  remove({ key, field }: ThreadAddress, { id, author }: ThreadComment, person: string): void {
    const waiting = this.#changeOf({ key, field }, id);
    // An edit that is not being sent is not needed any more; the removal follows one that is.
    if (waiting?.kind === 'edit' && waiting !== this.#sending) this.discard(waiting);
    this.#push({ kind: 'remove', key, field, id, author, person, text: '', was: '' });
  }

  /** The last one. */
  #changeOf(address: ThreadAddress, id: string): PendingComment | undefined {
    return this.at(address).findLast((one) => one.id === id);
  }

  #push(change: Omit<PendingComment, 'at' | 'state' | 'message' | 'mayBeStored'>): void {
    this.#pending.push({ ...change, at: now(), state: 'waiting', message: '', mayBeStored: false });
  }

  discard(pending: PendingComment): void {
    this.#pending = this.#pending.filter((one) => one !== pending);
  }

  /** Lets it be sent again, over what is stored now. */
  retry(pending: PendingComment, stored: string): void {
    Object.assign(pending, { state: 'waiting', message: '', was: stored });
  }

  /** The next change of this person to send; it counts as being sent until `sent`, `refused` or `returned` is called. */
  take(person: string): PendingComment | undefined {
    if (this.#sending) return undefined;
    // Changes of one comment keep their order: behind a failed one the others wait.
    const failed = new Set(this.#pending.filter(({ state }) => state === 'failed').map(({ id }) => id));
    this.#sending = this.#pending.find(
      (one) => one.state === 'waiting' && one.person === person && !failed.has(one.id),
    );
    return this.#sending && { ...this.#sending };
  }

  /** The service has stored what was taken; a later edit of it is sent as a change of what is stored now. */
  sent(taken: PendingComment): void {
    const pending = this.#sending;
    this.#sending = undefined;
    if (pending) this.discard(pending);
    for (const one of this.at(taken)) if (one.id === taken.id && one.kind === 'edit') one.was = taken.text;
  }

  refused(message: string): void {
    if (this.#sending) Object.assign(this.#sending, { state: 'failed', message });
    this.#sending = undefined;
  }

  /** There was no answer. */
  returned(): void {
    if (this.#sending) this.#sending.mayBeStored = true;
    this.#sending = undefined;
  }

  kept(): PendingComment[] {
    return [...this.#pending];
  }

  /** Adds the unsent comments that this person left on an earlier page, which may have sent them. */
  restore(pending: readonly PendingComment[], person: string): void {
    const names = new Set(this.#pending.map(({ kind, id }) => `${kind} ${id}`));
    for (const one of pending)
      if (!names.has(`${one.kind} ${one.id}`))
        this.#pending.push({ ...one, person, state: 'waiting', message: '', mayBeStored: true });
  }
}

/** Whether a value of the browser's storage is a change of a comment. */
export function isPending(value: unknown): value is PendingComment {
  const { kind, ...rest } = (value ?? {}) as Record<string, unknown>;
  const texts = ['key', 'field', 'id', 'author', 'text', 'was', 'at'].every(
    (name) => typeof rest[name] === 'string',
  );
  return texts && (kind === 'add' || kind === 'edit' || kind === 'remove');
}
