import type { RuledField } from '@kaptain/contract/field-rules';
import { type EnteredAs, partsOf } from '@kaptain/contract/fields';
import { choicesIn, definitionOf, type RowValues } from '../model/values.ts';
import { texts } from '../texts/texts.ts';
import { element } from './element.ts';

/** The control that edits a cell: its text is parsed as if it had been typed. */
export interface Control {
  root: HTMLElement;
  text(): string;
  focus(): void;
  /** Says at the cell what is wrong. */
  report(message: string): void;
}

type FormElement = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

function single(root: FormElement, text: () => string = () => root.value): Control {
  root.addEventListener('input', () => {
    root.removeAttribute('aria-invalid');
    root.setCustomValidity('');
  });
  return {
    root,
    text,
    focus: () => root.focus({ preventScroll: true }),
    report(message) {
      root.setAttribute('aria-invalid', 'true');
      root.setCustomValidity(message);
      root.reportValidity();
    },
  };
}

function lineOf(enteredAs: EnteredAs, label: string, text: string): Control {
  const input = element('input', { class: 'editor', 'aria-label': label });
  if (enteredAs === 'decimal' || enteredAs === 'rating') input.inputMode = 'decimal';
  input.value = text;
  return single(input);
}

/** A day is typed as people write it; the browser's own control would lose keys and drop half a date. Its calendar sets the day. */
function dayOf(label: string, text: string): Control {
  const input = element('input', { type: 'text', 'aria-label': label });
  input.value = text;
  const calendar = element('input', { type: 'date', tabindex: '-1', 'aria-label': texts().chooseDay });
  calendar.value = text.slice(0, 10);
  calendar.addEventListener('change', () => {
    const [, ...time] = input.value.trim().split(/\s+/);
    if (calendar.value !== '') input.value = [calendar.value, ...time].join(' ');
    input.focus();
  });
  const open = element('button', { type: 'button', tabindex: '-1', 'aria-label': texts().chooseDay }, '▾');
  open.addEventListener('click', () => calendar.showPicker());
  const control = single(input);
  return { ...control, root: element('div', { class: 'editor wrapped' }, input, open, calendar) };
}

function paragraphOf(label: string, text: string): Control {
  const area = element('textarea', { class: 'editor', 'aria-label': label, rows: '5' });
  area.value = text;
  return single(area);
}

/** One of a list; a stored value that is not in it can stay. */
function selectOf(label: string, options: readonly string[], text: string, typed: string): Control {
  const select = element('select', { class: 'editor', 'aria-label': label });
  const all = new Set(['', ...options, text]);
  for (const option of all) select.append(element('option', { value: option }, option));
  const begun = [...all].find(
    (option) => typed !== '' && option.toLowerCase().startsWith(typed.toLowerCase()),
  );
  select.value = begun ?? text;
  return single(select);
}

/** Several of a list, as a group of check boxes. */
function groupOf(label: string, options: readonly string[], text: string): Control {
  const chosen = partsOf(text);
  const root = element('div', { class: 'editor group', role: 'group', 'aria-label': label });
  const boxes = [...new Set([...options, ...chosen])].map((option) => {
    const box = element('input', { type: 'checkbox', value: option });
    box.checked = chosen.includes(option);
    root.append(element('label', {}, box, option));
    return box;
  });
  return {
    root,
    text: () =>
      boxes
        .filter(({ checked }) => checked)
        .map(({ value }) => value)
        .join('; '),
    focus: () => (boxes.find(({ checked }) => checked) ?? boxes[0])?.focus({ preventScroll: true }),
    report: (message) => root.setAttribute('title', message),
  };
}

/** A text for which the service offers values while it is typed. */
function offeredOf(label: string, text: string, offer: Offer): Control {
  const input = element('input', { type: 'text', 'aria-label': label, list: 'offered' });
  input.value = text;
  const list = element('datalist', { id: 'offered' });
  const fill = async () => {
    const typed = input.value;
    const values = await offer(typed);
    if (input.value === typed) list.replaceChildren(...values.map((value) => element('option', { value })));
  };
  input.addEventListener('input', () => void fill());
  void fill();
  return { ...single(input), root: element('div', { class: 'editor wrapped' }, input, list) };
}

/** Whether only the service knows the values: accounts, or those of another kapsule. */
const isOffered = ({ type, choicesFrom }: RuledField): boolean =>
  definitionOf(type).enteredAs === 'person' || choicesFrom !== undefined;

type Offer = (typed: string) => Promise<string[]>;

interface Begun {
  label: string;
  text: string;
  /** The character with which the edit began: it begins another text or picks a choice; check boxes ignore it. */
  typed?: string | undefined;
  row?: RowValues;
  /** Asks the service for values. */
  offer?: Offer | undefined;
}

/** The control for a field, with its text. */
export function controlFor(
  field: RuledField,
  { label, text, typed, row = new Map(), offer }: Begun,
): Control {
  const { enteredAs } = definitionOf(field.type);
  switch (enteredAs) {
    case 'answer':
      return selectOf(label, [texts().yes, texts().no], text, typed ?? '');
    case 'paragraph':
      return paragraphOf(label, typed ?? text);
    case 'choice':
    case 'person': {
      const choices = choicesIn(field, row);
      if (choices) return selectOf(label, choices, text, typed ?? '');
      return offer && isOffered(field)
        ? offeredOf(label, typed ?? text, offer)
        : lineOf(enteredAs, label, typed ?? text);
    }
    case 'list':
    case 'choices': {
      const choices = choicesIn(field, row);
      return choices ? groupOf(label, choices, text) : lineOf(enteredAs, label, typed ?? text);
    }
    case 'text':
    case 'decimal':
    case 'rating':
    case 'link':
      return lineOf(enteredAs, label, typed ?? text);
    case 'date':
    case 'datetime-local':
      return dayOf(label, typed ?? text);
  }
}
