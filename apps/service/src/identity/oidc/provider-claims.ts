import {
  isStorable,
  limits,
  type ProviderSettings,
  parseList,
  parseMapping,
  type Role,
} from '@kaptain/contract';

/** The rights that the claims of a person give. */
export interface MappedAccess {
  isAllowed: boolean;
  role: Role;
  /** Names of groups of ours; undefined when the settings map none, and memberships stay as they are. */
  groups: string[] | undefined;
}

/** The user that the claims of a person describe. */
export interface MappedPerson extends MappedAccess {
  username: string;
}

export type Claims = Record<string, unknown>;

function claimAt(claims: Claims, path: string): unknown {
  // Some providers name claims by addresses, with dots of their own.
  if (Object.hasOwn(claims, path)) return claims[path];
  return path.split('.').reduce<unknown>((inner, key) => {
    const isBlock = typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key);
    return isBlock ? (inner as Claims)[key] : undefined;
  }, claims);
}

/** Whether the claims say anything about a path: what is not stated was not withdrawn. */
export const isStated = (claims: Claims, path: string): boolean =>
  [path, path.split('.')[0] ?? ''].some((name) => Object.hasOwn(claims, name));

const textsOf = (claim: unknown): string[] =>
  (Array.isArray(claim) ? claim : [claim]).filter((value): value is string => typeof value === 'string');

/** Maps claims to role and groups of ours. */
export function mappedAccess(claims: Claims, settings: ProviderSettings): MappedAccess {
  const values = new Set(textsOf(claimAt(claims, settings.rolesClaim)));
  const has = (list: string) => parseList(list).some((value) => values.has(value));
  const isAdmin = has(settings.adminValues);
  const mapping = parseMapping(settings.groupMapping);
  const mapped = mapping.filter(({ value }) => values.has(value)).map(({ group }) => group);
  return {
    isAllowed: isAdmin || settings.userValues.trim() === '' || has(settings.userValues),
    role: isAdmin ? 'ADMIN' : 'USER',
    groups: mapping.length === 0 ? undefined : [...new Set(mapped)],
  };
}

/** Maps claims to a person of ours; a sentence when they state no user name. */
export function mappedPerson(claims: Claims, settings: ProviderSettings): MappedPerson | string {
  const [username = ''] = textsOf(claimAt(claims, settings.usernameClaim)).map((name) => name.trim());
  if (username === '' || username.length > limits.nameCharacters || !isStorable(username))
    return `The provider states no user name in the claim ${settings.usernameClaim}.`;
  return { username, ...mappedAccess(claims, settings) };
}
