import { availableParallelism, freemem, release, totalmem } from 'node:os';
import {
  maskSecrets,
  SECRET_MASK,
  type SettingsUpdate,
  type StatusCheck,
  secretPaths,
} from '@kaptain/contract';
import type { Store } from '@kaptain/store';
import { valueAt } from '../../base/config/settings/value-at.ts';
import { secretRemover, withoutValues } from './redact.ts';
import { redactedLogs } from './redacted-logs.ts';
import { folderSizes, storedSizes } from './sizes.ts';

interface BundleSources {
  version: string;
  database: string;
  settings: SettingsUpdate;
  /** Undefined when it can not be opened. */
  store: Store | undefined;
  checks: readonly StatusCheck[];
  dataDir: string;
  logFolder: string;
  /** The environment of the service. */
  env: NodeJS.ProcessEnv;
  setupToken: string | undefined;
  pepper?: string | undefined;
  now: number;
}

/** Variables whose values are no secrets. */
const openVariables = [
  'KAPTAIN_PORT',
  'KAPTAIN_VARIANT',
  'KAPTAIN_DB',
  'KAPTAIN_GRANULE_BYTES',
  'KAPTAIN_LOG_STDOUT',
];
const secretVariable = /PASS|PEPPER|TOKEN|METRICS|KEY/;
const ownVariable = /^(KAPTAIN_|SETUP_TOKEN$|NODE_)/;

function variables(env: NodeJS.ProcessEnv): Record<string, string> {
  const names = Object.keys(env).filter((name) => ownVariable.test(name) && env[name] !== '');
  return Object.fromEntries(
    names.toSorted().map((name) => [name, openVariables.includes(name) ? String(env[name]) : '(set)']),
  );
}

/** Fields that name a person or a customer, beside the secrets. */
const personal = [
  ['settings', 'userId'],
  ['settings', 'userDirectory'],
  ['db', 'KAPTAIN_DB_USER'],
  ['license', 'LICENSE_TEXT'],
] as const;

function maskedSettings(settings: SettingsUpdate): Record<string, unknown> {
  const masked = structuredClone(maskSecrets(settings)) as Record<string, Record<string, unknown>>;
  for (const [block, field] of personal) if (masked[block]?.[field]) masked[block][field] = SECRET_MASK;
  for (const block of Object.values(masked))
    for (const field of Object.keys(block)) if (/_USER(NAME)?$/.test(field)) block[field] = SECRET_MASK;
  return masked;
}

/** The value, or why it could not be read. */
const attempt = async (work: () => Promise<unknown>): Promise<unknown> => {
  try {
    return await work();
  } catch (error) {
    return { failed: withoutValues(error instanceof Error ? error.message : 'unknown') };
  }
};

/** One JSON file for support: versions, masked settings, checks, sizes, migrations and the last log lines. */
export async function supportBundle(sources: BundleSources): Promise<string> {
  const { version, database, settings, store, checks, dataDir, logFolder, env, now } = sources;
  const bundle = {
    about: 'Support bundle of Kaptain. It has no secrets, no values of granules and no names of people.',
    madeAt: new Date(now).toISOString(),
    versions: { kaptain: version, node: process.versions.node, system: `${process.platform} ${release()}` },
    machine: {
      architecture: process.arch,
      processors: availableParallelism(),
      memory: { total: totalmem(), free: freemem() },
    },
    variables: variables(env),
    settings: maskedSettings(settings),
    checks: checks.map((check) => ({ ...check, sentence: checkSentence(check) })),
    database: {
      kind: database,
      schemaVersion: store && (await attempt(() => store.schemaVersion())),
      sizes: store && (await attempt(() => storedSizes(store))),
    },
    dataFolder: await attempt(() => folderSizes(dataDir)),
    logs: await attempt(() => redactedLogs(logFolder)),
  };
  const secrets = [
    ...secretPaths.map((path) => valueAt(settings, path)),
    ...Object.keys(env).flatMap((name) =>
      ownVariable.test(name) && secretVariable.test(name) ? [env[name]] : [],
    ),
    sources.setupToken,
    sources.pepper,
  ].filter((value) => typeof value === 'string');
  const remove = secretRemover(secrets);
  const clean = (_: string, value: unknown) => (typeof value === 'string' ? remove(value) : value);
  return `${JSON.stringify(bundle, clean, 2)}\n`;
}

/** The license's holder is a customer; other sentences lose only the values in them. */
const checkSentence = ({ name, sentence }: StatusCheck): string =>
  withoutValues(name === 'License' ? sentence.replace(/^Licensed to .*, /, 'Licensed, ') : sentence);

/** The name of the file, by the minute. */
export const bundleFileName = (now: number): string =>
  `kaptain-support-${new Date(now).toISOString().slice(0, 16).replaceAll(/[T:]/g, '-')}.json`;
