import { type EnteredAs, partsOf } from '@kaptain/contract/fields';
import { definitionOf, type ValueRule } from '../model/values.ts';
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
  if (enteredAs === 'decimal') input.inputMode = 'decimal';
  if (enteredAs === 'date' || enteredAs === 'datetime-local') input.type = enteredAs;
  input.value = enteredAs === 'datetime-local' ? text.replace(' ', 'T') : text;
  // A text that is no date stays editable as a text.
  if (text !== '' && input.value === '') {
    input.type = 'text';
    input.value = text;
  }
  return single(input, () => (input.type === 'datetime-local' ? input.value.replace('T', ' ') : input.value));
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

/** The control for a field, with its text. A typed character begins another text or picks a choice; dates and check boxes ignore it. */
export function controlFor(rule: ValueRule, label: string, text: string, typed: string | undefined): Control {
  const { enteredAs } = definitionOf(rule.type);
  switch (enteredAs) {
    case 'answer':
      return selectOf(label, [texts().yes, texts().no], text, typed ?? '');
    case 'paragraph':
      return paragraphOf(label, typed ?? text);
    case 'choice':
      return selectOf(label, rule.choices, text, typed ?? '');
    case 'list':
    case 'choices':
      return groupOf(label, rule.choices, text);
    case 'text':
    case 'decimal':
    case 'person':
    case 'rating':
    case 'link':
      return lineOf(enteredAs, label, typed ?? text);
    case 'date':
    case 'datetime-local':
      return lineOf(enteredAs, label, text);
  }
}
