import { mentionOf } from '@kaptain/contract/thread-text';
import { texts } from '../texts/texts.ts';
import { element } from '../ui/element.ts';
import { type MentionQuery, matchingNames, mentionQuery } from './mention-query.ts';

const ASK_AFTER_MS = 150;
const MOST = 8;

interface Options {
  area: HTMLTextAreaElement;
  /** The authors of the thread, and people whom the service offers. */
  people: (typed: string) => Promise<string[]>;
  id: string;
}

/** Offers people behind an @ in a text area; arrows choose, Enter or Tab take, Escape closes. */
export class MentionList {
  readonly root: HTMLElement;
  readonly #options: Options;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #query: MentionQuery | undefined;
  #chosen = 0;
  #names: readonly string[] = [];

  constructor(options: Options) {
    this.#options = options;
    const { area, id } = options;
    this.root = element('ul', { class: 'people', role: 'listbox', id, 'aria-label': texts().thread.people });
    this.root.hidden = true;
    area.setAttribute('aria-autocomplete', 'list');
    area.setAttribute('aria-controls', id);
    area.addEventListener('input', () => this.#look());
    area.addEventListener('click', () => this.#look());
    area.addEventListener('blur', () => this.close());
    // The area keeps the focus.
    this.root.addEventListener('pointerdown', (event) => event.preventDefault());
    this.root.addEventListener('click', ({ target }) => {
      const option = target instanceof Element ? target.closest('[role=option]') : null;
      if (option) this.#insert(this.#names[[...this.root.children].indexOf(option)]);
    });
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#query = undefined;
    this.root.hidden = true;
    this.#options.area.removeAttribute('aria-activedescendant');
  }

  /** Does what the key means to the open list; false when the key means nothing to it. */
  press(event: KeyboardEvent): boolean {
    // A mention that is still looked up is not sent half.
    if (this.root.hidden) return event.key === 'Enter' && !event.shiftKey && (this.#query?.text ?? '') !== '';
    const { children } = this.root;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) this.#choose((this.#chosen + step + children.length) % children.length);
    else if (event.key === 'Enter' || event.key === 'Tab') this.#insert(this.#names[this.#chosen]);
    else if (event.key === 'Escape') this.close();
    else return false;
    return true;
  }

  #look(): void {
    const { area } = this.#options;
    const query = mentionQuery(area.value, area.selectionStart);
    clearTimeout(this.#timer);
    if (!query) return this.close();
    this.#query = query;
    this.#timer = setTimeout(() => void this.#offer(query), ASK_AFTER_MS);
  }

  async #offer(query: MentionQuery): Promise<void> {
    const found = await this.#options.people(query.text);
    // Meanwhile the person has typed on or left the text.
    if (this.#query !== query) return;
    const names = matchingNames(found, query.text, MOST);
    const { id } = this.#options;
    if (names.length === 0) return query.text === '' ? this.close() : this.#tellNobody(query.text);
    this.#names = names;
    this.root.replaceChildren(
      ...names.map((name, index) => element('li', { role: 'option', id: `${id}-${index}` }, name)),
    );
    this.root.hidden = false;
    this.#choose(0);
  }

  /** Instead of names: Enter sends no mention of a person who would not see it; Escape makes it a text. */
  #tellNobody(typed: string): void {
    this.#names = [];
    const text = texts().thread.nobody(typed);
    this.root.replaceChildren(element('li', { role: 'option', 'aria-disabled': 'true' }, text));
    this.root.hidden = false;
    this.#choose(0);
  }

  #choose(index: number): void {
    this.#chosen = index;
    const { area, id } = this.#options;
    for (const [n, option] of [...this.root.children].entries())
      option.setAttribute('aria-selected', String(n === index));
    area.setAttribute('aria-activedescendant', `${id}-${index}`);
    this.root.children[index]?.scrollIntoView({ block: 'nearest' });
  }

  #insert(name: string | undefined): void {
    const { area } = this.#options;
    const mention = mentionOf(name ?? '');
    if (!this.#query || mention === undefined) return;
    area.setRangeText(`${mention} `, this.#query.start, area.selectionStart, 'end');
    this.close();
    area.dispatchEvent(new Event('input', { bubbles: true }));
  }
}
