import { join } from 'node:path';
import { SettingsUpdate } from '@kaptain/contract';
import {
  addressesIn,
  addressText,
  DiskFullError,
  openEmbeddedStore,
  openMongoStore,
  openPostgresStore,
  type Store,
  sealTrail,
  UnavailableError,
} from '@kaptain/store';
import { type BootConfig, readSwitch } from '../config/boot-config.ts';
import { ConfigError, DatabaseError } from '../errors/config-error.ts';
import { trailSecretIn } from '../secrets/pepper.ts';
import { backupBeforeUpgrade } from './backup-before-upgrade.ts';

type DatabaseBlock = SettingsUpdate['db'];
/** The database server in the settings; without one the service uses the embedded database. */
export type Database = NonNullable<DatabaseBlock> & { KAPTAIN_DB: 'mongodb' | 'postgres' };

const serverIn = (db: DatabaseBlock): Database | undefined =>
  db && db.KAPTAIN_DB !== '' ? { ...db, KAPTAIN_DB: db.KAPTAIN_DB } : undefined;

const ports = { postgres: '5432', mongodb: '27017' } as const;

export const databaseFile = (dataDir: string) => join(dataDir, 'kaptain.db');

const isKind = (kind: string): kind is Database['KAPTAIN_DB'] => Object.hasOwn(ports, kind);
const hostAndName = ['KAPTAIN_DB_HOST', 'KAPTAIN_DB_NAME'] as const;

/** Throws a sentence about the first variable of the database that is missing or invalid. */
function requireVariables(env: NodeJS.ProcessEnv): void {
  const needed = env['KAPTAIN_DB'] === 'postgres' ? [...hostAndName, 'KAPTAIN_DB_USER'] : hostAndName;
  const missing = needed.find((name) => !env[name]?.trim());
  if (missing !== undefined)
    throw new ConfigError(`${missing} is missing: KAPTAIN_DB=${env['KAPTAIN_DB']} needs it.`);
  const port = env['KAPTAIN_DB_PORT'] ?? '';
  if (port !== '' && !(/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535))
    throw new ConfigError(`KAPTAIN_DB_PORT must be a port number between 1 and 65535, not "${port}".`);
}

/** The environment may have the same keys as the settings, for containers, and overrides them. */
export function databaseOf({ db }: Pick<SettingsUpdate, 'db'>, env: NodeJS.ProcessEnv): Database | undefined {
  const kind = env['KAPTAIN_DB'];
  if (!kind) return serverIn(db);
  if (!isKind(kind))
    throw new ConfigError(
      `KAPTAIN_DB must be one of ${Object.keys(ports).join(', ')}, not "${kind}"; without it the service uses its settings.`,
    );
  requireVariables(env);
  const { KAPTAIN_DB_PORT, KAPTAIN_DB_USESSL = '' } = env;
  // MongoDB in a container often has no accounts; the form requires a user, as SPEC 5 says.
  const hasNoAccounts = kind === 'mongodb' && !env['KAPTAIN_DB_USER'];
  const parsed = SettingsUpdate.shape.db.safeParse({
    ...env,
    KAPTAIN_DB_USER: hasNoAccounts ? 'nobody' : env['KAPTAIN_DB_USER'],
    KAPTAIN_DB_PORT: Number(KAPTAIN_DB_PORT || ports[kind]),
    KAPTAIN_DB_USESSL: readSwitch({ from: 'KAPTAIN_DB_USESSL', value: KAPTAIN_DB_USESSL || 'false' }),
    DO_NOT_SHOW_IN_KOMMENT: false,
  });
  const server = parsed.success ? serverIn(parsed.data) : undefined;
  if (server) return hasNoAccounts ? { ...server, KAPTAIN_DB_USER: '' } : server;
  const [issue] = parsed.error?.issues ?? [];
  throw new ConfigError(`The environment variable ${String(issue?.path[0])} is not right: ${issue?.message}`);
}

const products = { postgres: 'PostgreSQL', mongodb: 'MongoDB' } as const;

/** The product of a database server, and the addresses of its servers. */
export const productAndServers = ({ KAPTAIN_DB, KAPTAIN_DB_HOST, KAPTAIN_DB_PORT }: Database) => ({
  product: products[KAPTAIN_DB],
  servers: serversIn(KAPTAIN_DB_HOST, KAPTAIN_DB_PORT),
});

/** All hosts of a list, with their ports. */
export const serversIn = (hosts: string, port: number): string =>
  addressesIn(hosts, port)
    .map((address) => (address ? addressText(address) : hosts))
    .join(',');

export const serverOptions = (db: Database) => ({
  host: db.KAPTAIN_DB_HOST,
  port: db.KAPTAIN_DB_PORT,
  user: db.KAPTAIN_DB_USER,
  password: db.KAPTAIN_DB_PASS ?? '',
  database: db.KAPTAIN_DB_NAME,
  useTls: db.KAPTAIN_DB_USESSL,
});

/** Opens the database server of the settings, or the embedded database of the data folder. */
export function openDatabase(db: DatabaseBlock, dataDir: string): Promise<Store> {
  const server = serverIn(db);
  const file = databaseFile(dataDir);
  if (!server) return openEmbeddedStore({ file, beforeUpgrade: () => backupBeforeUpgrade(dataDir, file) });
  const options = serverOptions(server);
  return server.KAPTAIN_DB === 'postgres' ? openPostgresStore(options) : openMongoStore(options);
}

export const keysFolder = (dataDir: string) => join(dataDir, 'keys');

type Installation = Pick<BootConfig, 'dataDir' | 'pepper'>;

/** The key that seals the audit trail of this installation. */
export const trailSecret = ({ dataDir, pepper }: Installation) => trailSecretIn(keysFolder(dataDir), pepper);

/** Opens the database for writing: all audit entries are sealed. */
export async function openSealed(db: Database | undefined, installation: Installation): Promise<Store> {
  const secret = trailSecret(installation);
  // Read now, because every change needs it: a missing secret fails the start and not the first login.
  secret();
  return sealTrail(await openDatabase(db, installation.dataDir), secret);
}

/** A database that is not available is an error that the admin can correct. */
export const asDatabaseError = (error: unknown): unknown =>
  error instanceof UnavailableError || error instanceof DiskFullError
    ? new DatabaseError(error.message)
    : error;

/** Opens the database for a start of the service. */
export async function openStore(
  settings: Pick<SettingsUpdate, 'db'>,
  env: NodeJS.ProcessEnv,
  installation: Installation,
): Promise<Store> {
  try {
    return await openSealed(databaseOf(settings, env), installation);
  } catch (error) {
    throw asDatabaseError(error);
  }
}
