import { SettingsUpdate } from '@kaptain/contract';
import { isBlock, valueAt, withoutValueAt, withValueAt } from './value-at.ts';

type Block = Record<string, unknown>;
type Path = readonly string[];

/** Each makes the settings of one version into those of the next; a change of what a field means is a new one. */
const changes: readonly ((settings: Block) => Block)[] = [];

export const SETTINGS_VERSION = changes.length + 1;

interface StoredSettings {
  settings: SettingsUpdate;
  /** Fields whose values the rules of this version refuse. */
  refused: string[];
}

/** The kinds of issues that a value of another type or an unknown option has; a default replaces it. */
const UNUSABLE = new Set(['invalid_type', 'invalid_value', 'invalid_union']);

/**
 * Reads settings that an earlier version accepted. The rules of this version may be stricter, and must not keep the
 * service from starting: a refused value is used as it is, and a save will ask to correct it. Undefined when these
 * are no settings, or do not tell the database to use and whether to serve HTTPS.
 */
export function fromStored(stored: Block, version: number): StoredSettings | undefined {
  const upgraded = changes.slice(version - 1).reduce((settings, change) => change(settings), stored);
  const used: Path[] = [];
  const refused: string[] = [];
  for (let rest = upgraded; ; ) {
    const result = SettingsUpdate.safeParse(rest);
    if (result.success) {
      const settings = used.reduce<Block>((all, path) => withValueAt(all, path, valueAt(upgraded, path)), {
        ...result.data,
      });
      return { settings: settings as SettingsUpdate, refused };
    }
    const [issue] = result.error.issues;
    const path = existing(rest, (issue?.path ?? []).map(String));
    if (path.length === 0) return undefined;
    const isWhole = path.length === issue?.path.length;
    const isReplaced = isWhole && UNUSABLE.has(issue?.code ?? '');
    if (isReplaced && isDecisive(path)) return undefined;
    if (!isReplaced) used.push(path);
    refused.push(path.join('.'));
    rest = withoutValueAt(rest, path);
  }
}

/** Whether a default instead would mean another database, or HTTP instead of HTTPS. */
const isDecisive = (path: Path): boolean =>
  path[0] === 'db' || path.join('.') === 'settings.https' || path.join('.') === 'settings';

/** The longest part of the path that leads to a value: a missing field is a fault of its block. */
function existing(settings: Block, path: Path): Path {
  const end = path.findIndex((key, depth) => {
    const block = valueAt(settings, path.slice(0, depth));
    return !isBlock(block) || block[key] === undefined;
  });
  return end === -1 ? path : path.slice(0, end);
}
