import { generic } from '@kaptain/contract/messages';
import type { SettingField } from '@kaptain/contract/settings/data-source-fields';
import type { Rule } from 'antd/es/form';
import { textOf } from '../paths.ts';

const portRange = { min: 1, max: 65_535 };

/** Spec 5: ports must be numbers. Another rule requires a value. */
export function wholeNumber(label: string, range?: { min: number; max: number }): Rule {
  const isNumber = range ? /^-?\d+$/ : /^\d+$/;
  return {
    validator: async (_, value: unknown) => {
      const text = textOf(value).trim();
      if (text === '') return;
      if (!isNumber.test(text)) throw new Error(generic('number', { label }));
      if (range && (Number(text) < range.min || Number(text) > range.max))
        throw new Error(generic('range', { label, ...range }));
    },
  };
}

const needed = (label: string, isNeeded: () => boolean): Rule => ({
  validator: async (_, value: unknown) => {
    if (isNeeded() && textOf(value).trim() === '') throw new Error(generic('required', { label }));
  },
});

const always = () => true;

/** The rules of a field; a required one may be empty while `isNeeded` says so. */
export function rulesOf({ kind, label, required }: SettingField, isNeeded = always): Rule[] {
  const rules: Rule[] = required ? [needed(label, isNeeded)] : [];
  if (kind === 'port') rules.push(wholeNumber(label, portRange));
  if (kind === 'number') rules.push(wholeNumber(label));
  return rules;
}
