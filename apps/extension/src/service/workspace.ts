import type { GranuleState } from '@kaptain/contract';
import type { RuledField } from '@kaptain/contract/field-rules';
import { EditQueue } from '../model/edit-queue.ts';
import type { RefusedCell } from '../model/edited-row.ts';
import { KnownGranules, knownOf, noGranule } from '../model/known-granules.ts';
import type { OpenEditor } from '../model/open-editor.ts';
import { refusalText } from '../model/refusal-text.ts';
import { type CellName, changedCells, FRESH_MS, SavedCells } from '../model/saved-cells.ts';
import { choicesIn, editText } from '../model/values.ts';
import { texts } from '../texts/texts.ts';
import { CommentOutbox, type CommentWriter, type PendingComment } from '../thread/comment-outbox.ts';
import { type CommentOutcome, CommentSender } from '../thread/comment-sender.ts';
import { OwnComments } from '../thread/own-comments.ts';
import { Access } from './access.ts';
import { Histories } from './histories.ts';
import { EditKeeper, type KeptEdits } from './kept-edits.ts';
import { LiveChanges } from './live-changes.ts';
import { Sender } from './sender.ts';
import {
  type RefusedValue,
  type SaveOutcome,
  ServiceClient,
  ServiceError,
  SignedOutError,
} from './service-client.ts';

/** Most edits are stored by the service before. */
const KEEP_AFTER_MS = 200;

/** The reload requested after a save, so that the values reach the data model. */
export type ReloadAfterSave = 'none' | 'partial' | 'full';

/**
 * The token, the known granules and the edits of one kapsule. It outlives the tables that show it, so that a change of
 * the sheet neither signs the person out nor loses an edit.
 */
export class Workspace {
  readonly access: Access;
  readonly known = new KnownGranules();
  readonly queue = new EditQueue(this.known);
  readonly outbox = new CommentOutbox();
  readonly savedCells = new SavedCells();
  readonly own = new OwnComments({
    ask: (address) => this.#client.ownComments(address),
    changed: () => this.#changed(),
  });
  readonly #client: ServiceClient;
  readonly #sender: Sender;
  readonly #comments: CommentSender;
  readonly #live: LiveChanges;
  readonly #listeners = new Set<() => void>();
  readonly #histories = new Histories((id) => this.#client.history(id));
  readonly #keeper: EditKeeper;
  #keepTimer: ReturnType<typeof setTimeout> | undefined;
  #isKept = true;
  /** Edits in this browser that wait for a sign-in of their author. */
  left: KeptEdits[] = [];
  /** Grows when granules may have changed, so that those on the screen are looked up again. */
  revision = 0;
  /** Why the service could not be asked, in words for the person; '' when it could. */
  problem = '';
  reloadAfterSave: ReloadAfterSave = 'none';
  /** Whether the person may write, as the last look-up said. */
  mayWrite = true;
  /** The fields of the kapsule with their rules; undefined while the service has not told them. */
  fields: readonly RuledField[] | undefined;
  /** Editors that are open. */
  readonly editors = new Set<OpenEditor>();

  constructor(serviceUrl: string, kapsuleId: string) {
    this.access = new Access(serviceUrl, kapsuleId, () => this.#changed());
    this.#client = new ServiceClient({
      serviceUrl,
      kapsuleId,
      token: () => this.access.token,
      fetch: (...request) => fetch(...request),
    });
    this.#sender = new Sender({
      queue: this.queue,
      client: this.#client,
      author: () => this.access.author,
      stored: (rows) => this.#learnSaved(changedCells(rows, this.known)),
      refusedCells: async (refused) => {
        // The rules may be newer than those that were read.
        await this.#readFields();
        return refused.map((one) => this.#refusedCell(one));
      },
      changed: (outcome) => this.#sent(outcome),
    });
    this.#comments = new CommentSender({
      outbox: this.outbox,
      send: (pending) => this.#client.comment(pending),
      person: () => this.access.person,
      changed: (outcome, sent) => this.#commented(outcome, sent),
    });
    this.#live = new LiveChanges({
      events: (signal) => this.#client.events(signal),
      changed: () => {
        this.revision += 1;
        this.#changed();
        this.#sendAll();
      },
      signedOut: () => this.access.forget(),
    });
    this.#keeper = new EditKeeper(serviceUrl, kapsuleId);
    void this.#begin();
    document.addEventListener('visibilitychange', () => this.#follow());
    addEventListener('online', () => this.#sendAll());
    addEventListener('pagehide', () => {
      for (const editor of this.editors) editor.enter();
      this.#keep();
    });
  }

  async #begin(): Promise<void> {
    if (await this.access.signInBySession()) await this.#signedIn();
    this.left = await this.#keeper.left();
    this.#changed();
  }

  /** The rules of the kapsule, as they are now; those of before where the service does not answer. */
  async #readFields(): Promise<void> {
    this.fields = (await this.#client.fields().catch(() => undefined)) ?? this.fields;
  }

  #refusedCell({ key, field: name, rule, message, value }: RefusedValue): RefusedCell {
    const field = this.fields?.find((one) => one.name === name) ?? { name, type: 'text' };
    const choices = choicesIn(field, new Map());
    const text = editText(field, value);
    return { key, field: name, text, message: refusalText(field, { rule, message }, choices) };
  }

  /** Brings back what the person has left in this browser, and sends what waits. */
  async #signedIn(): Promise<void> {
    this.problem = '';
    this.mayWrite = true;
    this.own.forget();
    await this.#readFields();
    const { author, person } = this.access;
    const { rows, comments } = await this.#keeper.take({ author, person });
    this.queue.restore(rows);
    this.outbox.restore(comments, person);
    this.left = await this.#keeper.left();
    this.revision += 1;
    this.#changed();
    void this.#comments.send();
    await this.#sender.send();
  }

  #sendAll(): void {
    void this.#sender.send();
    void this.#comments.send();
  }

  /** The person of the last sign-in, also after it has ended: their edits and comments wait for the next one. */
  get writer(): CommentWriter {
    return { author: this.access.lastAuthor, person: this.access.lastPerson };
  }

  #keep(): void {
    this.#isKept = this.#keeper.write(this.writer, this.queue.kept(), this.outbox.kept());
  }

  /** Whether closing the page loses no edit. */
  get isSafe(): boolean {
    if (this.outbox.hasDrafts || [...this.editors].some(({ isChanged }) => isChanged)) return false;
    if (this.queue.isEmpty && this.outbox.isEmpty) return true;
    this.#keep();
    return this.#isKept && this.queue.invalid.isEmpty;
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    this.#follow();
    return () => {
      this.#listeners.delete(listener);
      this.#follow();
    };
  }

  #changed(): void {
    this.#follow();
    clearTimeout(this.#keepTimer);
    this.#keepTimer = setTimeout(() => this.#keep(), KEEP_AFTER_MS);
    for (const listener of this.#listeners) listener();
  }

  /** A page in the background needs no stream: it catches up when it is shown again. */
  #follow(): void {
    const isShown = this.#listeners.size > 0 && document.visibilityState === 'visible';
    this.#live.want(isShown && this.access.token !== undefined);
  }

  #sent(outcome: SaveOutcome['kind']): void {
    this.problem = outcome === 'unavailable' ? texts().serviceAway : '';
    if (outcome === 'signedOut') this.access.forget();
    // The person may have lost the right: the next look-up tells. It also tells when the others have written.
    if (outcome === 'refused' || outcome === 'conflict') this.revision += 1;
    if (
      outcome === 'saved' &&
      this.queue.waiting === 0 &&
      this.outbox.waiting === 0 &&
      this.reloadAfterSave !== 'none'
    )
      void this.#reload(this.reloadAfterSave === 'partial');
    this.#changed();
  }

  #learnSaved(cells: readonly CellName[]): void {
    this.savedCells.learn(cells, Date.now());
    setTimeout(() => this.#changed(), FRESH_MS);
  }

  /** Shows what became of a comment; the answer has the whole thread, also with comments of others. */
  #commented(outcome: CommentOutcome, { key, field }: PendingComment): void {
    if (outcome.kind === 'saved') {
      const { _id: id, version, thread, own } = outcome.stored;
      this.#learnSaved([{ key, field }]);
      if (own) this.own.learn({ key, field }, version, own);
      const stored = this.known.get(key) ?? noGranule;
      const isNext = version === stored.version + 1;
      const written = { version, user: this.access.author, updatedAt: new Date().toISOString() };
      this.known.set(key, {
        ...stored,
        id,
        data: { ...stored.data, [field]: thread },
        ...(isNext && written),
      });
      // Others have changed the row too: it is looked up again.
      if (version > stored.version + 1) this.revision += 1;
    }
    this.#sent(outcome.kind === 'gone' ? 'saved' : outcome.kind);
  }

  async #reload(partial: boolean): Promise<void> {
    try {
      await this.#client.reload(partial);
    } catch (error) {
      this.problem = [texts().reloadRefused, error instanceof Error ? error.message : ''].join(' ').trim();
      this.#changed();
    }
  }

  async signIn(): Promise<void> {
    try {
      if (!(await this.access.signIn())) return;
    } catch (error) {
      this.problem = error instanceof Error ? error.message : texts().signInFailed;
      return this.#changed();
    }
    await this.#signedIn();
  }

  /** Shows the edits at once and sends those that are not held. */
  save(): void {
    this.#changed();
    void this.#sender.send();
  }

  sendComments(): void {
    this.#changed();
    void this.#comments.send();
  }

  /** People whom a comment can mention; none while the service does not answer. */
  people(typed: string): Promise<string[]> {
    return this.#client.people(typed).catch(() => []);
  }

  /** Values for a field that only the service knows; none while it does not answer. */
  offered(field: string, typed: string): Promise<string[]> {
    return this.#client.offered(field, typed).catch(() => []);
  }

  /** Looks these keys up; whether that was possible. */
  async lookUp(keys: readonly string[]): Promise<boolean> {
    try {
      const { found, mayWrite } = await this.#client.lookup(keys);
      this.mayWrite = mayWrite;
      for (const [index, key] of keys.entries()) this.queue.learn(key, knownOf(found[index] ?? null));
      this.problem = '';
      return true;
    } catch (error) {
      if (error instanceof SignedOutError) this.access.forget();
      else this.problem = error instanceof Error ? error.message : texts().noAnswer;
      if (error instanceof ServiceError && error.status === 404) {
        this.mayWrite = false;
        this.problem = texts().kapsuleGone;
      }
      return false;
    } finally {
      this.#changed();
    }
  }

  /** The states of a key's granule, newest first; empty when they can't be had. */
  history(key: string): Promise<GranuleState[]> {
    return this.#histories.of(this.known.get(key) ?? noGranule);
  }
}
