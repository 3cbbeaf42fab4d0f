import {
  isStorable,
  limits,
  type ProviderSettings,
  parseList,
  parseMapping,
  type Role,
} from '@kaptain/contract';

/** What the claims of a person mean here. */
export interface MappedPerson {
  username: string;
  role: Role;
  /** Names of groups of ours; undefined when the settings map none, and memberships stay as they are. */
  groups: string[] | undefined;
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

const textsOf = (claim: unknown): string[] =>
  (Array.isArray(claim) ? claim : [claim]).filter((value): value is string => typeof value === 'string');

/** Maps claims to a person of ours; a sentence when the settings do not let this person in. */
export function mappedPerson(claims: Claims, settings: ProviderSettings): MappedPerson | string {
  const [username = ''] = textsOf(claimAt(claims, settings.usernameClaim)).map((name) => name.trim());
  if (username === '' || username.length > limits.nameCharacters || !isStorable(username))
    return `The provider states no user name in the claim ${settings.usernameClaim}.`;
  const values = new Set(textsOf(claimAt(claims, settings.rolesClaim)));
  const has = (list: string) => parseList(list).some((value) => values.has(value));
  const isUser = settings.userValues.trim() === '' || has(settings.userValues);
  if (!has(settings.adminValues) && !isUser) return 'Your account may not use this service.';
  const mapping = parseMapping(settings.groupMapping);
  return {
    username,
    role: has(settings.adminValues) ? 'ADMIN' : 'USER',
    groups:
      mapping.length === 0
        ? undefined
        : [...new Set(mapping.filter(({ value }) => values.has(value)).map(({ group }) => group))],
  };
}
