import { SECRET_MASK } from '@kaptain/contract/settings/field-schema';
import type { SettingDifference } from '@kaptain/contract/settings/generations';
import type { Words } from '../../../variants/variant.ts';
import { pathOfField } from '../paths.ts';
import { allGroups } from '../setting-groups.ts';
import type { SettingChange } from './settings-difference.ts';

interface Name {
  group: string;
  label: string;
}

const serverFiles: Record<string, Name> = {
  'server.pfx': { group: 'System', label: 'Server PFX' },
  'server.pem': { group: 'System', label: 'Server PEM' },
  'server_key.pem': { group: 'System', label: 'Server Key PEM' },
};

/** The labels of the fields; a field without a label is shown by its path. */
function naming(words: Words): (field: string) => Name {
  const names = new Map<string, Name>(Object.entries(serverFiles));
  for (const { at, title, fields } of allGroups(words))
    for (const { key, label } of fields) names.set(pathOfField(at, key).join('.'), { group: title, label });
  return (field) =>
    names.get(field) ?? names.get(field.replace(/\.[^.]*$/, '')) ?? { group: 'Other', label: field };
}

/** Names of changed fields, each of them once. */
export function labelsOf(fields: readonly string[], words: Words): string[] {
  const nameOf = naming(words);
  return [...new Set(fields.map(nameOf).map(({ group, label }) => `${group}: ${label}`))];
}

const shown = (value: string | null) => (value === SECRET_MASK ? 'set' : (value ?? '–'));

/** The differences of the service, with the labels of the page. */
export function labelledDifferences(
  differences: readonly SettingDifference[],
  words: Words,
): SettingChange[] {
  const nameOf = naming(words);
  return differences.map(({ field, before, after }) => ({
    path: field,
    ...nameOf(field),
    before: shown(before),
    after: before === SECRET_MASK && after === SECRET_MASK ? 'another value' : shown(after),
  }));
}

/** Whether the service uses https after the changes; undefined if they do not change it. */
export function httpsAfter(differences: readonly SettingDifference[]): boolean | undefined {
  const change = differences.find(({ field }) => field === 'settings.https');
  return change && /^(on|true|yes)$/i.test(change.after ?? '');
}
