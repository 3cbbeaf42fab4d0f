import { type CellType, type CellValue, parseCell, showCell } from '../model/values.ts';
import { element } from './element.ts';

interface Editing {
  label: string;
  type: CellType;
  value: unknown;
  /** A character that was typed replaces the value. */
  typed?: string;
  /** The value was entered by Enter, Tab or a click elsewhere; undefined when the edit was given up. */
  ended: (value: CellValue | undefined, pressed: KeyboardEvent | undefined) => void;
}

/** An input over a cell, until its value is entered or given up. An invalid value keeps it open. */
export function openEditor(cell: HTMLElement, { label, type, value, typed, ended }: Editing): void {
  const input = element('input', { class: 'editor', 'aria-label': label });
  input.type = type === 'date' ? 'date' : 'text';
  if (type === 'number') input.inputMode = 'decimal';
  input.value = typed ?? showCell(type, value);
  let isOpen = true;

  const close = (entered: CellValue | undefined, pressed?: KeyboardEvent) => {
    if (!isOpen) return;
    isOpen = false;
    input.remove();
    ended(entered, pressed);
  };
  const enter = (pressed?: KeyboardEvent) => {
    const parsed = parseCell(type, input.value);
    if ('value' in parsed) return close(parsed.value, pressed);
    input.setAttribute('aria-invalid', 'true');
    input.setCustomValidity(parsed.error);
    input.reportValidity();
  };

  input.addEventListener('input', () => {
    input.removeAttribute('aria-invalid');
    input.setCustomValidity('');
  });
  input.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.key === 'Escape') close(undefined, event);
    else if (event.key === 'Enter' || event.key === 'Tab') {
      event.preventDefault();
      enter(event);
    }
  });
  input.addEventListener('blur', () => {
    if ('value' in parseCell(type, input.value)) enter();
    else close(undefined);
  });
  cell.append(input);
  input.focus();
  if (typed === undefined) input.select();
}
