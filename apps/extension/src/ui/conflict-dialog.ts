import { shownName } from '@kaptain/contract/field-rules';
import { isEmpty, showTime } from '@kaptain/contract/fields';
import type { Conflict } from '../model/edited-row.ts';
import { personName } from '../model/person-name.ts';
import type { SheetField } from '../model/sheet-fields.ts';
import { type CellType, type CellValue, editText, readCell, showCell } from '../model/values.ts';
import { texts } from '../texts/texts.ts';
import { type Control, controlFor } from './cell-controls.ts';
import { button, element } from './element.ts';
import { keepFocusIn } from './keep-focus-in.ts';
import { moveTo, placeAt } from './place-beside.ts';

interface Decision {
  keepMine: () => void;
  takeTheirs: () => void;
  /** Values in place of both. */
  merge: (values: ReadonlyMap<string, CellValue>) => void;
  closed: () => void;
}

interface ShownConflict {
  parent: HTMLElement;
  /** The box is placed at it. */
  cell: HTMLElement | undefined;
  key: string;
  /** When the others have written; '' while that is not known. */
  updatedAt: string;
  conflicts: readonly Conflict[];
  fields: readonly SheetField[];
}

const plain = (name: string): SheetField => ({ name, type: 'text', holdsRow: false });

/** Between both values of a merge; of other types one has to be chosen. */
const separators: Partial<Record<CellType, string>> = { text: ' ', paragraph: '\n', choices: '; ' };

/** Where a merge begins: both texts, both choices; of other types the own value. */
function mergedText(field: SheetField, mine: unknown, theirs: unknown): string {
  const both = [theirs, mine].filter((value) => !isEmpty(value)).map((value) => editText(field, value));
  const separator = separators[field.type];
  return separator === undefined ? editText(field, mine) : both.join(separator);
}

/** Both values of a row side by side; nothing is lost before the person decides. */
export function openConflict(
  { parent, cell, key, updatedAt, conflicts, fields }: ShownConflict,
  decision: Decision,
): void {
  const ruleOf = (field: string) => fields.find(({ name }) => name === field) ?? plain(field);
  const user = personName(conflicts[0]?.user ?? '') || texts().anotherPerson;
  const at = showTime(updatedAt, 'ifAny');
  const values = conflicts.flatMap(({ field: name, mine, theirs }) => {
    const field = ruleOf(name);
    return [
      element('dt', {}, texts().mine(shownName(field))),
      element('dd', {}, showCell(field, mine) || texts().empty),
      element('dt', {}, texts().theirs(shownName(field))),
      element('dd', {}, showCell(field, theirs) || texts().empty),
    ];
  });
  const decide = (action: () => void) => () => {
    dialog.remove();
    action();
  };

  /** Replaces the choice of a side by controls in which the values are merged. */
  function merge(): void {
    const controls = conflicts.map(({ field, mine, theirs }): [string, Control] => {
      const rule = ruleOf(field);
      return [field, controlFor(rule, { label: shownName(rule), text: mergedText(rule, mine, theirs) })];
    });
    const save = () => {
      const entered = new Map<string, CellValue>();
      for (const [field, control] of controls) {
        const parsed = readCell(ruleOf(field), control.text());
        if ('error' in parsed) return control.report(parsed.error);
        entered.set(field, parsed.value);
      }
      decide(() => decision.merge(entered))();
    };
    const parts = controls.map(([field, { root }]) => element('div', { class: 'merged' }, field, root));
    buttons.replaceChildren(
      ...parts,
      button(texts().saveMerged, save),
      button(texts().decideLater, decide(decision.closed)),
    );
    place();
    controls[0]?.[1].focus();
  }

  const keep = button(texts().keepMine, decide(decision.keepMine));
  const buttons = element(
    'div',
    { class: 'buttons' },
    keep,
    button(texts().takeTheirs, decide(decision.takeTheirs)),
    button(texts().merge, merge),
    button(texts().decideLater, decide(decision.closed)),
  );
  const dialog = element(
    'div',
    { class: 'dialog', role: 'dialog', 'aria-modal': 'true', 'aria-labelledby': 'conflict-title' },
    element('h2', { id: 'conflict-title' }, texts().conflictTitle(user)),
    element('p', { class: 'by' }, [key, at].filter((part) => part !== '').join(' · ')),
    element('dl', {}, ...values),
    buttons,
  );
  keepFocusIn(dialog, decide(decision.closed));
  parent.append(dialog);
  const place = () => cell && moveTo(dialog, cell, placeAt);
  place();
  keep.focus();
}
