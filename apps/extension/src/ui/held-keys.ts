import type { CellPosition } from './grid-keys.ts';

interface Held {
  readonly grid: HTMLElement;
  readonly active: () => CellPosition;
  isLoaded(row: number): boolean;
  /** Rejects when the row can't be fetched. */
  load(row: number): Promise<void>;
}

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** Whether a key edits the active cell, and does not only move. */
const isEntry = ({ key, ctrlKey, metaKey, altKey }: Pressed): boolean =>
  ['Enter', 'F2', 'Delete', 'Backspace'].includes(key) ||
  (key.length === 1 && !ctrlKey && !metaKey && !altKey);

/**
 * Keys for a row that is still fetched. They are pressed again when it is there: without the first ones the others would
 * enter another value.
 */
export class HeldKeys {
  readonly #held: Held;
  #keys: Pressed[] = [];
  #isReplaying = false;

  constructor(held: Held) {
    this.#held = held;
  }

  /** Whether the key is held. */
  takes({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
    if (this.#isReplaying) return false;
    const pressed = { key, ctrlKey, metaKey, altKey, shiftKey };
    const isFirst = this.#keys.length === 0;
    if (isFirst && (!isEntry(pressed) || this.#isReady)) return false;
    this.#keys.push(pressed);
    if (isFirst) void this.#replay();
    return true;
  }

  get #editor(): Element | null {
    const editor = this.#held.grid.querySelector('.editor');
    return editor?.matches('div') ? editor.querySelector('input') : editor;
  }

  get #isReady(): boolean {
    return this.#editor !== null || this.#held.isLoaded(this.#held.active().row);
  }

  async #replay(): Promise<void> {
    try {
      while (this.#keys.length > 0) {
        if (!this.#isReady) await this.#held.load(this.#held.active().row);
        const [pressed] = this.#keys;
        if (pressed) this.#press(pressed);
        this.#keys.shift();
      }
    } catch {
      this.#keys = [];
    }
  }

  /** As if the key were pressed now; an input gets its character. */
  #press(pressed: Pressed): void {
    const target = this.#editor ?? this.#held.grid;
    this.#isReplaying = true;
    const event = new KeyboardEvent('keydown', { ...pressed, bubbles: true, cancelable: true });
    const isLeft = target.dispatchEvent(event);
    this.#isReplaying = false;
    const isText = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
    if (isLeft && isText && pressed.key.length === 1)
      target.setRangeText(
        pressed.key,
        target.selectionStart ?? 0,
        target.selectionEnd ?? target.value.length,
        'end',
      );
  }
}
