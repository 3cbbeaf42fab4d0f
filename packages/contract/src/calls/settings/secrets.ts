import { dataSourceFields } from './data-source-fields.ts';
import { SECRET_MASK } from './field-schema.ts';

/** The paths of secrets in the settings object, which no answer may contain. */
export const secretPaths: readonly (readonly string[])[] = [
  ['settings', 'pfxPassword'],
  ['hosts', 'SAAS', 'apiKey'],
  ['db', 'KAPTAIN_DB_PASS'],
  ['provider', 'clientSecret'],
  ...Object.entries(dataSourceFields).flatMap(([type, fields]) =>
    fields.filter((field) => field.kind === 'secret').map((field) => [type, field.key]),
  ),
];

const isBlock = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function maskAt(
  block: Record<string, unknown>,
  [key = '', ...rest]: readonly string[],
): Record<string, unknown> {
  const value = block[key];
  if (rest.length > 0) return isBlock(value) ? { ...block, [key]: maskAt(value, rest) } : block;
  return { ...block, [key]: typeof value === 'string' && value !== '' ? SECRET_MASK : '' };
}

/** Masks the secrets: a set secret becomes the mask, an unset one is empty. */
export const maskSecrets = <T extends Record<string, unknown>>(settings: T): T =>
  secretPaths.reduce<Record<string, unknown>>(
    (masked, path) => (isBlock(masked[path[0] ?? '']) ? maskAt(masked, path) : masked),
    settings,
  ) as T;
