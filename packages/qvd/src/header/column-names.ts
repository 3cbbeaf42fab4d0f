import type { QvdWarning } from '../errors.ts';
import { displayName } from './header-text.ts';

/** Makes names unique, because columns are found by name: an empty name becomes `column_7`, a second one gets `_2`. */
export function uniqueNames(names: readonly string[], warnings: QvdWarning[]): string[] {
  const taken = new Set(names);
  const used = new Set<string>();
  const next = new Map<string, number>();
  return names.map((original, index) => {
    let name = original;
    if (name === '') {
      name = `column_${index + 1}`;
      warnings.push({ code: 'NAME_EMPTY', message: `Column ${index + 1} has no name.`, field: name });
    }
    if (used.has(name) || (original === '' && taken.has(name))) {
      let number = next.get(name) ?? 2;
      while (taken.has(`${name}_${number}`) || used.has(`${name}_${number}`)) number++;
      next.set(name, number + 1);
      const field = displayName(`${name}_${number}`);
      warnings.push({ code: 'NAME_DUPLICATE', message: 'A column of this name exists already.', field });
      name = `${name}_${number}`;
    }
    used.add(name);
    return name;
  });
}
