import { join } from 'node:path';
import { SettingsUpdate } from '@kaptain/contract';
import {
  DiskFullError,
  openEmbeddedStore,
  openMongoStore,
  openPostgresStore,
  type Store,
  sealTrail,
  UnavailableError,
} from '@kaptain/store';
import { backupBeforeUpgrade } from '../backups/backup-before-upgrade.ts';
import { trailSecretIn } from '../security/pepper.ts';
import type { BootConfig } from './boot-config.ts';
import { ConfigError, DatabaseError } from './config-error.ts';

type DatabaseBlock = SettingsUpdate['db'];
/** The database server in the settings; without one the service uses the embedded database. */
export type Database = NonNullable<DatabaseBlock> & { KAPTAIN_DB: 'mongodb' | 'postgres' };

const serverIn = (db: DatabaseBlock): Database | undefined =>
  db && db.KAPTAIN_DB !== '' ? { ...db, KAPTAIN_DB: db.KAPTAIN_DB } : undefined;

const ports = { postgres: '5432', mongodb: '27017' } as const;

export const databaseFile = (dataDir: string) => join(dataDir, 'kaptain.db');

/** The environment may have the same keys as the settings, for containers, and overrides them. */
export function databaseOf({ db }: Pick<SettingsUpdate, 'db'>, env: NodeJS.ProcessEnv): Database | undefined {
  const kind = env['KAPTAIN_DB'];
  if (!kind) return serverIn(db);
  const { KAPTAIN_DB_PORT = ports[kind as keyof typeof ports] ?? '', KAPTAIN_DB_USESSL = '' } = env;
  // MongoDB in a container often has no accounts; the form requires a user, as SPEC 5 says.
  const hasNoAccounts = kind === 'mongodb' && !env['KAPTAIN_DB_USER'];
  const given = SettingsUpdate.shape.db.safeParse({
    ...env,
    KAPTAIN_DB_USER: hasNoAccounts ? 'nobody' : env['KAPTAIN_DB_USER'],
    KAPTAIN_DB_PORT: KAPTAIN_DB_PORT === '' ? undefined : Number(KAPTAIN_DB_PORT),
    KAPTAIN_DB_USESSL: ['true', '1', 'yes'].includes(KAPTAIN_DB_USESSL.toLowerCase()),
    DO_NOT_SHOW_IN_KOMMENT: false,
  });
  const server = given.success ? serverIn(given.data) : undefined;
  if (server) return hasNoAccounts ? { ...server, KAPTAIN_DB_USER: '' } : server;
  const [issue] = given.error?.issues ?? [];
  throw new ConfigError(`The environment variable ${String(issue?.path[0])} is not right: ${issue?.message}`);
}

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
