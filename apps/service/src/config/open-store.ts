import { join } from 'node:path';
import { SettingsUpdate } from '@kaptain/contract';
import {
  openEmbeddedStore,
  openMongoStore,
  openPostgresStore,
  type Store,
  sealTrail,
  UnavailableError,
} from '@kaptain/store';
import { trailSecretIn } from '../security/pepper.ts';
import type { BootConfig } from './boot-config.ts';
import { ConfigError } from './config-error.ts';

type DatabaseBlock = SettingsUpdate['db'];
/** The database server that the settings name; without one the service keeps its data in a file of its own. */
export type Database = NonNullable<DatabaseBlock> & { KAPTAIN_DB: 'mongodb' | 'postgres' };

const serverIn = (db: DatabaseBlock): Database | undefined =>
  db && db.KAPTAIN_DB !== '' ? { ...db, KAPTAIN_DB: db.KAPTAIN_DB } : undefined;

const ports = { postgres: '5432', mongodb: '27017' } as const;

export const databaseFile = (dataDir: string) => join(dataDir, 'kaptain.db');

/** The same keys as in the settings, for containers; what the environment says wins. */
export function databaseOf({ db }: Pick<SettingsUpdate, 'db'>, env: NodeJS.ProcessEnv): Database | undefined {
  const kind = env['KAPTAIN_DB'];
  if (!kind) return serverIn(db);
  const { KAPTAIN_DB_PORT = ports[kind as keyof typeof ports] ?? '', KAPTAIN_DB_USESSL = '' } = env;
  // MongoDB in a container often has no accounts; the form asks for one, as SPEC 5 says.
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

/** The service's own database: the one that is named, or the embedded one of the data folder. */
export function openDatabase(db: DatabaseBlock, dataDir: string): Promise<Store> {
  const server = serverIn(db);
  if (!server) return openEmbeddedStore({ file: databaseFile(dataDir) });
  const options = serverOptions(server);
  return server.KAPTAIN_DB === 'postgres' ? openPostgresStore(options) : openMongoStore(options);
}

export const keysFolder = (dataDir: string) => join(dataDir, 'keys');

type Place = Pick<BootConfig, 'dataDir' | 'pepper'>;

/** What the audit trail of this installation is sealed with. */
export const trailSecret = ({ dataDir, pepper }: Place) => trailSecretIn(keysFolder(dataDir), pepper);

/** Opens it for work: whatever is written to the audit trail is sealed. */
export async function openSealed(db: Database | undefined, place: Place): Promise<Store> {
  const secret = trailSecret(place);
  // Without it nothing could be changed: better said now than at the first login.
  secret();
  return sealTrail(await openDatabase(db, place.dataDir), secret);
}

/** Opens it for a start of the service: what is wrong is a sentence for the admin. */
export async function openStore(
  settings: Pick<SettingsUpdate, 'db'>,
  env: NodeJS.ProcessEnv,
  place: Place,
): Promise<Store> {
  try {
    return await openSealed(databaseOf(settings, env), place);
  } catch (error) {
    if (error instanceof UnavailableError) throw new ConfigError(error.message);
    throw error;
  }
}
