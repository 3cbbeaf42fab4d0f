import { SECRET_MASK } from '@kaptain/contract/settings/field-schema';
import { secretPaths } from '@kaptain/contract/settings/secrets';
import type { Words } from '../../../variants/variant.ts';
import { type Block, isBlock, pathOfField, textOf, valueAt } from '../paths.ts';
import { allGroups, type FieldGroup } from '../setting-groups.ts';

export interface SettingChange {
  path: string;
  group: string;
  label: string;
  before: string;
  after: string;
}

const units = { s: 'seconds', m: 'minutes', h: 'hours' } as const;

/** The text of a value; a missing or empty one is a dash. */
function shown(value: unknown): string {
  if (value === undefined || value === null || value === '') return '–';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(textOf).join(', ');
  if (isBlock(value) && 'timeUnit' in value)
    return `${textOf(value['number'])} ${units[textOf(value['timeUnit']) as keyof typeof units] ?? ''}`;
  return isBlock(value) ? JSON.stringify(value) : textOf(value);
}

const secrets = new Set(secretPaths.map((path) => path.join('.')));

const shownSecret = (value: unknown): string =>
  textOf(value) === '' ? 'not set' : value === SECRET_MASK ? 'set' : 'a new value';

const isFileText = (key: string) => key === 'LICENSE_TEXT';
const shownText = (value: unknown): string => {
  const text = textOf(value);
  return text === '' ? '–' : `${text.length.toLocaleString('en-US')} characters`;
};

function changeOf({ at, title, fields }: FieldGroup, index: number, before: Block, after: Block) {
  const field = fields[index];
  if (!field) return undefined;
  const path = pathOfField(at, field.key);
  const name = path.join('.');
  const isSecret = secrets.has(name);
  const show = isSecret ? shownSecret : isFileText(field.key) ? shownText : shown;
  const [was, is] = [valueAt(before, path), valueAt(after, path)];
  const isSame = isSecret
    ? is === SECRET_MASK || textOf(was) === textOf(is)
    : JSON.stringify(was ?? null) === JSON.stringify(is ?? null) ||
      // A switch that was never set is off, a text that was never set is empty.
      (shown(was) === shown(is) && !isFileText(field.key)) ||
      (field.kind === 'checkbox' && (was ?? false) === (is ?? false));
  if (isSame) return undefined;
  return { path: name, group: title, label: field.label, before: show(was), after: show(is) };
}

/** The differences of two settings objects, with the labels and in the order of the page. */
export function settingsDifference(before: Block, after: Block, words: Words): SettingChange[] {
  return allGroups(words).flatMap((group) => {
    // An added or removed data source is one change, not one per field.
    const [was, is] = [valueAt(before, group.at), valueAt(after, group.at)].map(isBlock);
    if (
      group.at.length === 1 &&
      was !== is &&
      !['settings', 'security', 'license', 'system'].includes(group.at[0] ?? '')
    )
      return [presence(group, was === true, valueAt(was ? before : after, group.at))];
    return group.fields.flatMap((_, index) => changeOf(group, index, before, after) ?? []);
  });
}

function presence({ at, title, fields }: FieldGroup, was: boolean, block: unknown): SettingChange {
  const told = fields
    .filter(({ kind }) => kind === 'text' || kind === 'port')
    .map(({ key }) => shown(valueAt(block, key.split('.'))))
    .filter((text) => text !== '–')
    .join(' · ');
  const [before, after] = was ? [told || 'there', 'removed'] : ['–', told || 'added'];
  return { path: at.join('.'), group: title, label: was ? 'Removed' : 'Added', before, after };
}
