import { limits } from '@kaptain/contract/limits';
import { texts } from '../texts/texts.ts';
import { button, element } from '../ui/element.ts';
import { MentionList } from './mention-list.ts';

interface Options {
  id: string;
  label: string;
  submit: string;
  text: string;
  people: (typed: string) => Promise<string[]>;
  /** With a text that has more than white space. */
  submitted: (text: string) => void;
  typed?: (text: string) => void;
  /** Escape, or the button where there is one. */
  cancelled: () => void;
  hasCancel?: boolean;
}

/** A text area for a comment, with its button; Enter submits, Shift+Enter and Alt+Enter begin a line. */
export class CommentForm {
  readonly root = element('form', { class: 'comment-form' });
  readonly area: HTMLTextAreaElement;
  readonly #options: Options;
  readonly #people: MentionList;
  readonly #submit: HTMLButtonElement;

  constructor(options: Options) {
    this.#options = options;
    const { id, label, submit, text, people, cancelled } = options;
    this.area = element('textarea', {
      class: 'editor',
      'aria-label': label,
      placeholder: label,
      rows: '3',
      maxlength: String(limits.commentCharacters),
    });
    this.area.value = text;
    this.#people = new MentionList({ area: this.area, people, id });
    this.#submit = button(submit, () => this.#enter());
    const buttons = element('div', { class: 'buttons' }, this.#submit);
    this.root.append(this.area, this.#people.root);
    if (options.hasCancel) buttons.append(button(texts().thread.cancel, cancelled));
    else this.root.append(element('p', { class: 'by' }, texts().thread.hint));
    this.root.append(buttons);
    this.area.addEventListener('input', () => this.#changed());
    this.root.addEventListener('submit', (event) => event.preventDefault());
    this.area.addEventListener('keydown', (event) => this.#press(event));
    this.#changed();
  }

  set text(text: string) {
    this.area.value = text;
    this.#changed();
  }

  #changed(): void {
    this.#submit.disabled = this.area.value.trim() === '';
    this.#options.typed?.(this.area.value);
  }

  #press(event: KeyboardEvent): void {
    if (event.isComposing) return;
    if (this.#people.press(event)) event.preventDefault();
    else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      if (event.altKey) this.area.setRangeText('\n', this.area.selectionStart, this.area.selectionEnd, 'end');
      else this.#enter();
    } else if (event.key === 'Escape') this.#options.cancelled();
    else return;
    // Escape of the form does not close the panel around it.
    event.stopPropagation();
  }

  #enter(): void {
    if (this.area.value.trim() !== '') this.#options.submitted(this.area.value.trim());
  }
}
