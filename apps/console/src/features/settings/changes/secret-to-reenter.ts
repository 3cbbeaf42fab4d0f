import { SECRET_MASK } from '@kaptain/contract/settings/field-schema';
import { secretPaths } from '@kaptain/contract/settings/secrets';
import { type Block, blockOf, valueAt } from '../paths.ts';

/** The password that must be entered again: it is unchanged, but another field of its block has changed. */
export const secretToReenter = (before: Block, after: Block): readonly string[] | undefined =>
  secretPaths.find((path) => {
    if (valueAt(after, path) !== SECRET_MASK) return false;
    const [was, is] = [before, after].map((body) => JSON.stringify(sorted(valueAt(body, path.slice(0, -1)))));
    return was !== is;
  });

const sorted = (value: unknown) => Object.entries(blockOf(value)).sort(([a], [b]) => a.localeCompare(b));
