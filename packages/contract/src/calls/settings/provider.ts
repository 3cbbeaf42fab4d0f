import { z } from 'zod';
import { plainText } from '../../kit/text.ts';
import { limits } from '../../rules/limits.ts';
import { generic } from '../../rules/messages.ts';

const name = plainText(limits.nameCharacters);
/** Several values, separated by commas or lines. */
const list = plainText(limits.mappingCharacters).default('');

/** The OpenID Connect provider before anything was entered. */
export const emptyProvider = {
  enabled: false,
  name: '',
  issuer: '',
  clientId: '',
  clientSecret: '',
  scopes: 'openid profile',
  usernameClaim: 'preferred_username',
  rolesClaim: 'groups',
  adminValues: '',
  userValues: '',
  groupMapping: '',
  createsUsers: true,
  passwordOnlyForAdmin: false,
  recheckMinutes: 10,
} as const;

const isLoopback = ({ hostname }: URL): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);

/** HTTPS, or plain HTTP on this computer; nothing but host, port and path. */
const isIssuer = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return (
    (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))) &&
    url.username === '' &&
    url.password === '' &&
    url.search === '' &&
    url.hash === ''
  );
};

/** Entries `value = group`, in lines or separated by commas, which a value therefore can't have. */
export const parseMapping = (text: string): { value: string; group: string }[] =>
  parseList(text).map((entry) => {
    const at = entry.lastIndexOf('=');
    return { value: entry.slice(0, Math.max(0, at)).trim(), group: entry.slice(at + 1).trim() };
  });

export const parseList = (text: string): string[] =>
  text
    .split(/[,\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/** The OpenID Connect provider of the company. */
export const provider = z
  .object({
    enabled: z.boolean().default(false),
    /** On the button of the login page. */
    name: name.default(''),
    issuer: name.default(''),
    clientId: name.default(''),
    /** Absent: the stored one stays. */
    clientSecret: plainText(limits.passwordMaxBytes).optional(),
    scopes: name.default(emptyProvider.scopes),
    usernameClaim: name.default(emptyProvider.usernameClaim),
    /** With dots for a nested claim, e.g. realm_access.roles. */
    rolesClaim: name.default(emptyProvider.rolesClaim),
    /** Values of that claim that make an ADMIN. */
    adminValues: list,
    /** Values that make a USER; empty: every person whom the provider signs in. */
    userValues: list,
    /** Values and the groups of ours that they stand for. */
    groupMapping: list,
    createsUsers: z.boolean().default(true),
    /** All but the first admin must sign in at the provider. */
    passwordOnlyForAdmin: z.boolean().default(false),
    /** How often the provider is asked whether a session of its person may go on. */
    recheckMinutes: z.number().int().min(1).max(1440).default(emptyProvider.recheckMinutes),
  })
  .superRefine((block, context) => {
    const issue = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if (block.issuer !== '' && !isIssuer(block.issuer))
      issue('issuer', 'Issuer must be an https address, as the provider states it.');
    if (parseMapping(block.groupMapping).some(({ value, group }) => value === '' || group === ''))
      issue('groupMapping', 'Groups are written as value = group, one per line.');
    if (!block.enabled) return;
    const labels = {
      name: 'Provider name',
      issuer: 'Issuer',
      clientId: 'Client ID',
      usernameClaim: 'User name claim',
    } as const;
    for (const [key, label] of Object.entries(labels))
      if (block[key as keyof typeof labels].trim() === '') issue(key, generic('required', { label }));
    if (!block.scopes.split(/\s+/).includes('openid')) issue('scopes', 'Scopes must contain openid.');
  });
export type ProviderSettings = z.infer<typeof provider>;
