import { ownValue } from '@kaptain/contract/own-value';
import type { Workspace } from '../service/workspace.ts';
import { texts } from '../texts/texts.ts';
import { button, element } from '../ui/element.ts';
import { CommentForm } from './comment-form.ts';
import { type CommentActions, commentItem, lookOf } from './comment-item.ts';
import type { ThreadAddress } from './comment-outbox.ts';
import { type ShownComment, type ShownThread, shownThread } from './shown-thread.ts';

/** Refreshes texts like "5 minutes ago". */
const REFRESH_MS = 30_000;

interface Options {
  workspace: () => Workspace;
  isReadOnly: () => boolean;
  /** The panel was closed by the person. */
  closed: () => void;
}

/** Leaves items in place that stay: one that is taken out and put back loses the focus. */
function showItems(list: HTMLElement, items: readonly HTMLElement[]): void {
  const kept = new Set<Element>(items);
  for (const old of Array.from(list.children)) if (!kept.has(old)) old.remove();
  for (const [index, item] of items.entries())
    if (list.children[index] !== item) list.insertBefore(item, list.children[index] ?? null);
}

/** The thread of one field of a row, beside the table: comments newest last, and a text area for the next one. */
export class ThreadPanel implements CommentActions {
  readonly root = element('div', { class: 'panel', role: 'dialog' });
  readonly #title = element('h2');
  /** Text before the first comment, which has no author. */
  readonly #preface = element('p', { class: 'text preface' });
  readonly #list = element('ol', { class: 'comments', tabindex: '0' });
  readonly #none = element('p', { class: 'by' }, texts().thread.none);
  readonly #problem = element('p', { class: 'problem' });
  readonly #form: CommentForm;
  readonly #options: Options;
  readonly #items = new Map<string, { look: string; item: HTMLElement }>();
  #address: ThreadAddress | undefined;
  /** The sheet forbids edits of the row. */
  #isLocked = false;
  #timer: ReturnType<typeof setInterval> | undefined;
  /** It was opened when the person could not write yet: the text area gets the focus when it is shown. */
  #awaitsForm = false;
  /** The comment that is being edited. */
  #edited: string | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.root.hidden = true;
    this.#form = new CommentForm({
      id: 'people',
      label: texts().thread.write,
      submit: texts().thread.send,
      text: '',
      people: (typed) => this.#people(typed),
      typed: (text) => this.#address && this.#outbox.setDraft(this.#address, text),
      submitted: (text) => this.#add(text),
      cancelled: () => this.close(),
    });
    const close = button('✕', () => this.close());
    close.setAttribute('aria-label', texts().thread.close);
    this.root.append(
      element('div', { class: 'panel-head' }, this.#title, close),
      element('div', { class: 'panel-body' }, this.#preface, this.#none, this.#list),
      this.#problem,
      this.#form.root,
    );
    this.root.addEventListener('keydown', (event) => {
      event.stopPropagation();
      if (event.key === 'Escape') this.close();
    });
  }

  get address(): ThreadAddress | undefined {
    return this.#address;
  }

  get #outbox() {
    return this.#options.workspace().outbox;
  }

  get #mayWrite(): boolean {
    const { known, writer, mayWrite } = this.#options.workspace();
    return (
      mayWrite &&
      known.get(this.#address?.key ?? '') !== undefined &&
      writer.person !== '' &&
      !this.#isLocked &&
      !this.#options.isReadOnly()
    );
  }

  get #thread(): ShownThread {
    if (!this.#address) return { preface: '', comments: [] };
    const { key, field } = this.#address;
    const value = ownValue(this.#options.workspace().known.get(key)?.data ?? {}, field);
    return shownThread(value, this.#outbox.at(this.#address));
  }

  /** Opens the thread, with the focus in the text area, or in the list, if it has comments, where the person may not write. */
  open(address: ThreadAddress, isLocked: boolean, typed = ''): void {
    this.#address = address;
    this.#options.workspace().own.refresh(address);
    this.#isLocked = isLocked;
    this.#edited = undefined;
    this.#items.clear();
    this.#list.replaceChildren();
    this.#form.text = this.#outbox.draftAt(address) + typed;
    this.root.hidden = false;
    this.#title.textContent = texts().thread.title(address.field, address.key);
    this.root.setAttribute('aria-label', texts().thread.title(address.field, address.key));
    this.#list.setAttribute('aria-label', texts().thread.title(address.field, address.key));
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.render(), REFRESH_MS);
    this.render();
    this.#scrollToEnd();
    const { area } = this.#form;
    this.#awaitsForm = !this.#mayWrite;
    (this.#awaitsForm ? this.#list : area).focus({ preventScroll: true });
    area.setSelectionRange(area.value.length, area.value.length);
  }

  close(): void {
    if (!this.#address) return;
    this.end();
    this.#options.closed();
  }

  /** Closes without moving the focus. */
  end(): void {
    clearInterval(this.#timer);
    this.#address = undefined;
    this.root.hidden = true;
  }

  render(): void {
    if (!this.#address) return;
    const { preface, comments } = this.#thread;
    const mayWrite = this.#mayWrite;
    const wasAtEnd = this.#isAtEnd;
    this.#preface.textContent = preface;
    this.#preface.hidden = preface === '';
    this.#none.hidden = comments.length > 0 || preface !== '';
    this.#list.hidden = comments.length === 0;
    this.#form.root.hidden = !mayWrite;
    const problem = this.#options.workspace().problem;
    if (this.#problem.textContent !== problem) this.#problem.textContent = problem;
    showItems(
      this.#list,
      comments.map((comment) => this.#itemOf(comment, mayWrite)),
    );
    if (wasAtEnd) this.#scrollToEnd();
    if (mayWrite && this.#awaitsForm) this.#focusForm();
  }

  /** Unless the person has gone elsewhere meanwhile. */
  #focusForm(): void {
    this.#awaitsForm = false;
    const { activeElement } = this.root.getRootNode() as ShadowRoot;
    if (activeElement === this.#list || activeElement?.matches('.grid')) this.#form.area.focus();
  }

  /** The service tells which comments are the person's own, beside their unsent ones; names are never compared. */
  #isOwn({ id, pending }: ShownComment): boolean {
    const { own, known, writer } = this.#options.workspace();
    if (pending) return pending.person === writer.person;
    return (
      this.#address !== undefined && own.of(this.#address, known.get(this.#address.key)?.version ?? 0).has(id)
    );
  }

  #itemOf(comment: ShownComment, mayWrite: boolean): HTMLElement {
    const shownItem = this.#items.get(comment.id);
    if (shownItem && this.#edited === comment.id) return shownItem.item;
    const isOwn = mayWrite && this.#isOwn(comment);
    const look = lookOf(comment, isOwn);
    if (shownItem?.look === look) return shownItem.item;
    const item = commentItem(comment, isOwn, this);
    this.#items.set(comment.id, { look, item });
    return item;
  }

  get #isAtEnd(): boolean {
    const { scrollTop, scrollHeight, clientHeight } = this.#body;
    return scrollHeight - scrollTop - clientHeight < 40;
  }

  get #body(): HTMLElement {
    return this.#list.parentElement as HTMLElement;
  }

  #scrollToEnd(): void {
    this.#body.scrollTop = this.#body.scrollHeight;
  }

  /** The authors of the thread, and those whom the service offers. */
  async #people(typed: string): Promise<string[]> {
    const authors = this.#thread.comments.map(({ author }) => author);
    return [...authors, ...(await this.#options.workspace().people(typed))];
  }

  #add(text: string): void {
    if (!this.#address) return;
    this.#outbox.add(this.#address, this.#options.workspace().writer, text);
    this.#form.text = '';
    this.#options.workspace().sendComments();
    this.#scrollToEnd();
  }

  edit(comment: ShownComment): void {
    const shownItem = this.#items.get(comment.id);
    const address = this.#address;
    if (!shownItem || !address) return;
    const end = () => {
      this.#edited = undefined;
      this.#items.delete(comment.id);
      this.render();
      this.#form.area.focus();
    };
    const form = new CommentForm({
      id: `people-${comment.id}`,
      label: texts().thread.editOf,
      submit: texts().save,
      text: comment.text,
      people: (typed) => this.#people(typed),
      submitted: (text) => {
        if (text !== comment.text)
          this.#outbox.edit(address, comment, text, this.#options.workspace().writer.person);
        end();
        this.#options.workspace().sendComments();
      },
      cancelled: end,
      hasCancel: true,
    });
    this.#edited = comment.id;
    shownItem.item.replaceChildren(form.root);
    form.area.focus();
  }

  remove(comment: ShownComment): void {
    if (this.#address) this.#outbox.remove(this.#address, comment, this.#options.workspace().writer.person);
    this.#after();
  }

  retry({ pending, stored }: ShownComment): void {
    if (pending) this.#outbox.retry(pending, stored);
    this.#after();
  }

  discard({ pending }: ShownComment): void {
    if (pending) this.#outbox.discard(pending);
    this.#after();
  }

  #after(): void {
    this.#form.area.focus();
    this.#options.workspace().sendComments();
  }
}
