import { z } from 'zod';
import { plainText } from '../../kit/text.ts';
import { limits } from '../../rules/limits.ts';
import { generic, messages } from '../../rules/messages.ts';
import { ConnectionMode, DataSourceType } from '../../vocabulary.ts';
import { dataSourceFields } from './data-source-fields.ts';
import { blockSchema, port } from './field-schema.ts';
import { provider } from './provider.ts';
import { ENGINE_SCHEMA, emptyDb, emptyHosts, isUntouched, LOCAL_CERTIFICATES_ROOT } from './untouched.ts';

export { ENGINE_SCHEMA, LOCAL_CERTIFICATES_ROOT };

const name = plainText(limits.nameCharacters);
const secret = plainText(limits.passwordMaxBytes).optional();

/** Spec 5: these texts of a block are required once it is used. */
const requiring =
  (empty: object, labels: Record<string, string>) => (block: object, context: z.RefinementCtx) => {
    if (isUntouched(block, empty)) return;
    for (const [key, label] of Object.entries(labels)) {
      const text: unknown = (block as Record<string, unknown>)[key];
      if (typeof text === 'string' && text.trim() !== '') continue;
      context.addIssue({ code: 'custom', path: [key], message: generic('required', { label }) });
    }
  };

const origin = z.string().transform((value, context) => {
  if (URL.canParse(value) && new URL(value).origin !== 'null') return new URL(value).origin;
  context.addIssue({ code: 'custom', message: messages.originInvalid });
  return z.NEVER;
});

const host = <M extends ConnectionMode>(mode: M) => ({
  mode: z.literal(mode).default(mode as never),
  schema: z.literal(ENGINE_SCHEMA).default(ENGINE_SCHEMA),
});

const serverHost = {
  hostname: name.default(''),
  qrsHostname: name.default(''),
  prefix: name.default(''),
  isSecure: z.boolean().default(true),
  userIdAttr: name.default('userId'),
  userDirectoryAttr: name.default('userDirectory'),
};

const hosts = z.object({
  CERT: z
    .object({
      ...host('CERT'),
      ...serverHost,
      useQlikLocalCertificates: z.boolean().default(true),
      qlikLocalCertificatesRoot: name.default(LOCAL_CERTIFICATES_ROOT),
      certFile: name.default(''),
      keyFile: name.default(''),
      caFile: name.default(''),
    })
    .superRefine(requiring(emptyHosts.CERT, { hostname: 'Engine Hostname' }))
    .optional(),
  JWT: z
    .object({ ...host('JWT'), ...serverHost, keyFile: name.default('') })
    .superRefine(requiring(emptyHosts.JWT, { hostname: 'Engine Hostname', keyFile: 'Key File' }))
    .optional(),
  SAAS: z
    .object({
      ...host('SAAS'),
      hostname: name.default(''),
      apiKey: secret,
      /** Extra: the public OAuth client with which people on sheets sign in at the tenant. */
      clientId: name.optional(),
    })
    .superRefine(requiring(emptyHosts.SAAS, { hostname: 'Tenant Hostname' }))
    .optional(),
  DESKTOP: z
    .object({
      ...host('DESKTOP'),
      hostname: z.literal('localhost:9076').default('localhost:9076'),
      prefix: z.literal('').default(''),
      isSecure: z.literal(false).default(false),
    })
    .optional(),
});

const label = 'Sign Expires In';
const perHour = { s: 3600, m: 60, h: 1 } as const;

/** Spec 5: a whole number, minimum 0. The maximum of 720 hours holds in every unit. */
const signExpiresIn = z
  .object({
    number: z.number({ error: generic('number', { label }) }).int(generic('number', { label })),
    timeUnit: z.enum(['s', 'm', 'h']),
  })
  .superRefine(({ number, timeUnit }, context) => {
    const max = limits.signExpiresInHours * perHour[timeUnit];
    if (number < 0 || number > max)
      context.addIssue({ code: 'custom', message: generic('range', { label, min: 0, max }) });
  })
  .default({ number: 24, timeUnit: 'h' });

const db = z
  .object({
    KAPTAIN_DB: z.enum(['', 'mongodb', 'postgres']),
    KAPTAIN_DB_HOST: name.default(''),
    KAPTAIN_DB_PORT: port('Port'),
    KAPTAIN_DB_USER: name.default(''),
    KAPTAIN_DB_PASS: secret,
    KAPTAIN_DB_NAME: name.default(''),
    KAPTAIN_DB_USESSL: z.boolean().default(false),
    DO_NOT_SHOW_IN_KOMMENT: z.boolean().default(false),
  })
  .superRefine(
    requiring(emptyDb, {
      KAPTAIN_DB: 'Type',
      KAPTAIN_DB_HOST: 'Host',
      KAPTAIN_DB_USER: 'User',
      KAPTAIN_DB_NAME: 'Name',
    }),
  );

const ofRange = (label: string, min: number, max: number) => {
  const [number, range] = [generic('number', { label }), generic('range', { label, min, max })];
  return z.number({ error: number }).int(number).min(min, range).max(max, range);
};

/** Extra: scheduled backups of the service's own store. */
const backup = z.object({
  every: z.enum(['never', 'day', 'week']).default('never'),
  /** In UTC; on Sunday when it is once a week. */
  hour: ofRange('Backup time', 0, 23).default(2),
  keep: ofRange('Backups to keep', 1, limits.backupsKept).default(7),
  /** Empty for the folder `backups` of the data folder. */
  folder: name.default(''),
});

const dataSources = Object.fromEntries(
  DataSourceType.options.map((type) => [type, blockSchema(dataSourceFields[type]).optional()]),
) as Record<DataSourceType, z.ZodOptional<z.ZodObject>>;

/** The body of PUT: the settings object of SPEC 3, validated by SPEC 5. */
export const SettingsUpdate = z.object({
  settings: z.object({
    port: z.number().optional(),
    https: z.boolean().default(false),
    hsts: z.boolean().default(false),
    usePfxCertificate: z.boolean().default(false),
    pfxPassword: secret,
    corsAllowOrigins: z.array(origin).max(100).default([]),
    apiKey: z.boolean().default(false),
    qlikHost: ConnectionMode.default('CERT'),
    userId: name.default(''),
    userDirectory: name.default(''),
    /** Extras. A client that does not know them leaves them as they are. */
    kapsulesPerCreator: ofRange('The number per creator', 1, limits.kapsulesPerCreatorMost).optional(),
    definitionMiBPerCreator: ofRange(
      'Definitions per creator (MiB)',
      1,
      limits.definitionMiBPerCreatorMost,
    ).optional(),
  }),
  security: z
    .object({
      signExpiresIn,
      /** Extras. A client that does not know them leaves them as they are. */
      adminsNeedSecondFactor: z.boolean().optional(),
      askAgain: z.boolean().optional(),
    })
    .prefault({}),
  hosts: hosts.default({}),
  db: db.optional(),
  /** Extra. */
  provider: provider.optional(),
  license: z.object({ LICENSE_TEXT: plainText(limits.licenseCharacters).default('') }).prefault({}),
  system: z
    .object({
      logLevel: z.enum(['debug', 'warn', 'info', 'error']).default('info'),
      logPath: name.default(''),
    })
    .prefault({}),
  backup: backup.prefault({}),
  ...dataSources,
});
export type SettingsUpdate = z.infer<typeof SettingsUpdate>;

const anyBlock = z.record(z.string(), z.unknown());

/** The answer of GET: the same object with looser validation, so that the page can show invalid settings. */
export const SettingsInfo = z.looseObject({
  /** Extra: sent back as If-Match (in quotes), so that concurrent edits are detected. */
  generation: z.number().optional(),
  settings: z.looseObject({ apiKey: z.boolean().default(false), qlikHost: z.string().default('CERT') }),
  security: anyBlock.optional(),
  hosts: anyBlock.optional(),
  db: anyBlock.optional(),
  license: anyBlock.optional(),
  system: anyBlock.optional(),
  backup: anyBlock.optional(),
});
export type SettingsInfo = z.infer<typeof SettingsInfo>;
