import { dataSourceNames } from '@kaptain/contract/data-source-names';
import { limits } from '@kaptain/contract/limits';
import { dataSourceFields, type SettingField } from '@kaptain/contract/settings/data-source-fields';
import { type ConnectionMode, DataSourceType } from '@kaptain/contract/vocabulary';
import type { Words } from '../../variants/variant.ts';

/** A number that counts as `standard` while it is not set. */
interface CreatorLimit extends SettingField {
  standard: number;
  max: number;
}

/** Fields of one block of the settings object, e.g. those below `hosts.CERT`. */
export interface FieldGroup {
  at: readonly string[];
  /** Its name in the list of changes. */
  title: string;
  fields: readonly SettingField[];
}

const field = (
  kind: SettingField['kind'],
  key: string,
  label: string,
  more: Partial<SettingField> = {},
): SettingField => ({ key, label, kind, ...more });
const text = field.bind(null, 'text');
const checkbox = field.bind(null, 'checkbox');
const secret = field.bind(null, 'secret');
const required = { required: true } as const;

/** The names of the databases, as in Spec 9. */
export const sourceTitles: Record<DataSourceType, string> = { ...dataSourceNames, mssql: 'MSSQL' };

/** Extras of our service: the limits of a creator who is not an ADMIN. */
export const creatorLimits = ({ kapsule }: Words): CreatorLimit[] => [
  {
    ...field('number', 'kapsulesPerCreator', `${kapsule.Many} per creator`, {
      help: 'Deleted ones count until they can no longer be restored. ADMINs have no limit.',
    }),
    standard: limits.kapsulesPerCreator,
    max: limits.kapsulesPerCreatorMost,
  },
  {
    ...field('number', 'definitionMiBPerCreator', 'Definitions per creator (MiB)', {
      help: `The names and fields of all ${kapsule.many} of one creator together.`,
    }),
    standard: limits.definitionMiBPerCreator,
    max: limits.definitionMiBPerCreatorMost,
  },
];

export const systemGroup = (words: Words): FieldGroup => ({
  at: ['settings'],
  title: 'System',
  fields: [
    checkbox('https', 'HTTPS'),
    checkbox('hsts', 'HSTS'),
    checkbox('usePfxCertificate', 'Use PFX certificate'),
    secret('pfxPassword', 'PFX Password'),
    text('corsAllowOrigins', `${words.platform} Hub URL`),
    checkbox('apiKey', 'API Key'),
    ...creatorLimits(words),
  ],
});

/** Spec 3: the platform user the service acts as, with a certificate or with a token. */
export const platformUserGroup = ({ platform }: Words): FieldGroup => ({
  at: ['settings'],
  title: 'Platform Connection',
  fields: [
    text('userId', `${platform} User ID`, required),
    text('userDirectory', `${platform} User Directory`, required),
  ],
});

const serverFields = (engineHelp: string): SettingField[] => [
  text('hostname', 'Engine Hostname', { ...required, help: engineHelp }),
  text('qrsHostname', 'Repository Hostname', { help: 'Without a port, 4242 is taken.' }),
  text('prefix', 'Virtual Proxy', { help: 'The prefix, without slashes. Empty for the default one.' }),
  text('userIdAttr', 'User ID attribute'),
  text('userDirectoryAttr', 'User directory attribute'),
  checkbox('isSecure', 'Secure connection'),
];

/** The fields of each connection mode, without the certificate files. */
export const hostGroups = ({ platform }: Words): Record<ConnectionMode, FieldGroup> => ({
  CERT: {
    at: ['hosts', 'CERT'],
    title: 'Certificate mode',
    fields: serverFields('Without a port, 4747 is taken.'),
  },
  JWT: { at: ['hosts', 'JWT'], title: 'JWT mode', fields: serverFields('The host of the proxy.') },
  SAAS: {
    at: ['hosts', 'SAAS'],
    title: 'SaaS mode',
    fields: [
      text('hostname', 'Tenant Hostname', { ...required, help: 'Such as tenant.eu.qlikcloud.com.' }),
      secret('apiKey', 'API Key', {
        ...required,
        help: `Made in ${platform} by the user the service acts as.`,
      }),
      text('clientId', 'OAuth client ID', {
        help: 'Of a single-page app client of the tenant, with which people on sheets sign in. See the guide.',
      }),
    ],
  },
  DESKTOP: { at: ['hosts', 'DESKTOP'], title: 'Desktop mode', fields: [] },
});

const certificateGroups = ({ platform }: Words): FieldGroup[] => [
  {
    at: ['hosts', 'CERT'],
    title: 'Certificate mode',
    fields: [
      checkbox('useQlikLocalCertificates', `Use ${platform} local certificates`),
      text('certFile', 'Certificate File'),
      text('keyFile', 'Key File'),
      text('caFile', 'Root File'),
    ],
  },
  { at: ['hosts', 'JWT'], title: 'JWT mode', fields: [text('keyFile', 'Key File')] },
];

export const databaseGroup = ({ database, komment }: Words): FieldGroup => ({
  at: ['db'],
  title: `${database.One} settings`,
  fields: [
    text('KAPTAIN_DB', 'Type', required),
    text('KAPTAIN_DB_HOST', 'Host', required),
    field('port', 'KAPTAIN_DB_PORT', 'Port', required),
    text('KAPTAIN_DB_USER', 'User', required),
    secret('KAPTAIN_DB_PASS', 'Password'),
    text('KAPTAIN_DB_NAME', 'Name', required),
    checkbox('KAPTAIN_DB_USESSL', 'Use SSL'),
    checkbox('DO_NOT_SHOW_IN_KOMMENT', `Do not show in ${komment.One}`),
  ],
});

export const dataSourceGroup = (type: DataSourceType): FieldGroup => ({
  at: [type],
  title: sourceTitles[type],
  fields: dataSourceFields[type],
});

/** Extras of our own service. */
export const securityOptions: SettingField[] = [
  checkbox('adminsNeedSecondFactor', 'ADMINs need a second factor', {
    help: 'An ADMIN without one can only set it up. Have your own first, on the page My account.',
  }),
  checkbox('askAgain', 'Ask again before sensitive actions', {
    help: 'Changing users, groups, API keys and settings, making backups, and deleting ask for the password or a code when the last one is older than 15 minutes.',
  }),
];

/** The OpenID Connect provider, an extra of our own service. */
export const providerGroup: FieldGroup = {
  at: ['provider'],
  title: 'Company sign-in',
  fields: [
    text('name', 'Provider name', { help: 'On the button of the login page: Sign in with …' }),
    text('issuer', 'Issuer', { help: 'The https address, as the provider states it.' }),
    text('clientId', 'Client ID'),
    secret('clientSecret', 'Client secret'),
    text('scopes', 'Scopes', {
      help: 'offline_access lets the service check whether people are still there.',
    }),
    text('usernameClaim', 'User name claim'),
    text('rolesClaim', 'Role claim', { help: 'With dots for a nested one, such as realm_access.roles.' }),
    field('number', 'recheckMinutes', 'Check people every (minutes)'),
    checkbox('enabled', 'Sign in with this provider'),
    checkbox('createsUsers', 'Create users at their first sign-in'),
    checkbox('passwordOnlyForAdmin', 'Password login only for admin', {
      help: 'The account admin keeps its password, for times when the provider is away.',
    }),
  ],
};

/** Lists of values, one per line. */
export const providerLists: SettingField[] = [
  text('adminValues', 'Values for ADMIN', { help: 'Of the role claim, one per line.' }),
  text('userValues', 'Values for USER', {
    help: 'One per line. Empty: everyone whom the provider signs in.',
  }),
  text('groupMapping', 'Groups', { help: 'value = group, one per line. Empty: groups stay as they are.' }),
];

const plainGroups: FieldGroup[] = [
  {
    at: ['security'],
    title: 'Security',
    fields: [text('signExpiresIn', 'Sign Expires In'), ...securityOptions],
  },
  {
    at: ['backup'],
    title: 'Backup',
    fields: [
      text('every', 'Backup'),
      text('hour', 'Backup time'),
      field('number', 'keep', 'Backups to keep'),
      text('folder', 'Backup folder'),
    ],
  },
  { at: ['license'], title: 'License', fields: [text('LICENSE_TEXT', 'License text')] },
  { at: ['system'], title: 'Logs', fields: [text('logLevel', 'Log level'), text('logPath', 'Log path')] },
];

/** All groups of settings, in the order of the page. */
export const allGroups = (words: Words): FieldGroup[] => {
  const { platform } = words;
  const mode = {
    at: ['settings'],
    title: 'Platform Connection',
    fields: [text('qlikHost', `${platform} connection mode`)],
  };
  const [security, ...last] = plainGroups;
  return [
    systemGroup(words),
    ...(security ? [security] : []),
    { ...providerGroup, fields: [...providerGroup.fields, ...providerLists] },
    mode,
    platformUserGroup(words),
    ...Object.values(hostGroups(words)),
    ...certificateGroups(words),
    databaseGroup(words),
    ...DataSourceType.options.map(dataSourceGroup),
    ...last,
  ];
};
