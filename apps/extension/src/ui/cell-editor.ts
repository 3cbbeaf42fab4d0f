import type { OpenEditor } from '../model/open-editor.ts';
import type { SheetField } from '../model/sheet-fields.ts';
import { type CellValue, type RowValues, readCell } from '../model/values.ts';
import { controlFor } from './cell-controls.ts';

/** How an edit ended: with a value, with a text that is none, or without a change. */
type Entered = { value: CellValue } | { text: string; error: string } | undefined;

interface Editing {
  label: string;
  field: SheetField;
  /** What the cell has. */
  text: string;
  /** The other values of the row. */
  row: RowValues;
  /** Asks the service for values. */
  offer?: (typed: string) => Promise<string[]>;
  /** The character with which the edit began, which replaces a text. */
  typed?: string;
  /** `pressed` is the key that ended the edit; undefined after a click elsewhere. */
  ended: (entered: Entered, pressed: KeyboardEvent | undefined) => void;
}

/** Alt+Enter is a line break in a spreadsheet; browsers do nothing with it. */
function breakLine(area: HTMLTextAreaElement): void {
  area.setRangeText('\n', area.selectionStart, area.selectionEnd, 'end');
}

/** Opens upwards where there is no room below: scrolling would close the editor. */
function placeInView(cell: HTMLElement, root: HTMLElement): void {
  const bottom = cell.closest('.grid')?.getBoundingClientRect().bottom ?? 0;
  cell.classList.toggle('above', root.getBoundingClientRect().bottom > bottom);
}

/** A control over a cell, until its value is entered or given up. Enter keeps it open while the value is invalid. */
export function openEditor(
  cell: HTMLElement,
  { label, field, text, row, typed, offer, ended }: Editing,
): OpenEditor {
  const control = controlFor(field, { label, text, typed, row, offer });
  const { root } = control;
  const isParagraph = root instanceof HTMLTextAreaElement;
  let isOpen = true;

  const close = (entered: Entered, pressed?: KeyboardEvent) => {
    if (!isOpen) return;
    isOpen = false;
    cell.classList.remove('editing', 'above');
    root.remove();
    ended(entered, pressed);
  };
  const outcome = (): Entered => {
    const typedText = control.text();
    if (typedText === text) return undefined;
    const parsed = readCell(field, typedText, row);
    return 'value' in parsed ? parsed : { text: typedText, error: parsed.error };
  };
  const enter = (pressed: KeyboardEvent) => {
    const entered = outcome();
    if (entered && 'error' in entered) control.report(entered.error);
    else close(entered, pressed);
  };

  root.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.isComposing) return;
    if (event.key === 'Escape') close(undefined, event);
    else if (event.key === 'Enter' && isParagraph && event.altKey) breakLine(root);
    else if (event.key === 'Enter' && isParagraph && event.shiftKey) return;
    else if (event.key === 'Enter' || event.key === 'Tab') {
      event.preventDefault();
      enter(event);
    }
  });
  root.addEventListener('focusout', (event) => {
    if (!root.contains(event.relatedTarget as Node | null)) close(outcome());
  });
  cell.classList.add('editing');
  // Without its text, which would show beside the editor; it comes back with the next rendering.
  cell.replaceChildren(root);
  placeInView(cell, root);
  control.focus();
  // A character that was typed is not selected, so that the next one follows it.
  const input =
    root instanceof HTMLInputElement ? root : root.querySelector<HTMLInputElement>('input[type=text]');
  if (typed === undefined) input?.select();
  return {
    get isChanged() {
      return control.text() !== text;
    },
    enter: () => close(outcome()),
  };
}
