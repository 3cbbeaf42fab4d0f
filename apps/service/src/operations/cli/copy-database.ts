import { existsSync } from 'node:fs';
import {
  copyStore,
  isInUse,
  openEmbeddedTransfer,
  openMongoTransfer,
  openPostgresTransfer,
  type Transfer,
  UnavailableError,
} from '@kaptain/store';
import { backupBeforeUpgrade } from '../../base/database/backup-before-upgrade.ts';
import { databaseFile, serverOptions, serversIn } from '../../base/database/open-store.ts';
import { ConfigError } from '../../base/errors/config-error.ts';
import type { Result } from './commands.ts';
import { configuredDatabase } from './host-store.ts';
import { type PasswordInput, passwordFrom } from './password-input.ts';

interface NamedDatabase {
  name: string;
  open(): Promise<Transfer>;
}

type Server = { kind: 'postgres' | 'mongodb' } & ReturnType<typeof serverOptions>;

const FORM =
  'The target is "embedded", or an address like postgres://user@host:5432/database or mongodb://user@host:27017/database.';

/** Copies all data from the service's database to another one; after an interruption the same command continues. */
export async function copyDatabase(
  env: NodeJS.ProcessEnv,
  to: string,
  input: PasswordInput,
  say: (line: string) => void,
): Promise<Result> {
  const { db, dataDir } = configuredDatabase(env);
  const file = databaseFile(dataDir);
  if (!db && !existsSync(file)) throw new ConfigError(`There is no database in ${dataDir}.`);
  const source = db ? onServer({ kind: db.KAPTAIN_DB, ...serverOptions(db) }) : inFile(file, dataDir);
  const target =
    to === 'embedded'
      ? inFile(file, dataDir)
      : onServer({ ...serverAt(to), password: await password(env, to, input, say) });
  if (source.name === target.name) throw new ConfigError('The source and the target are the same database.');
  if ([source.name, target.name].includes(file) && existsSync(file) && isInUse(file))
    throw new ConfigError('The service is running; stop it first. Nothing was copied.');
  const { documents, kapsules, granules } = await copy(source, target);
  const message = `${documents} documents, ${kapsules} kapsules with ${granules} granules are in ${target.name}, compared by counts and checksums. The source is as it was; name the new database in the settings or the environment.`;
  return { isDone: true, message };
}

async function copy(source: NamedDatabase, target: NamedDatabase) {
  const opened: Transfer[] = [];
  try {
    const from = await source.open();
    opened.push(from);
    const to = await target.open();
    opened.push(to);
    return await copyStore(from, to);
  } catch (error) {
    throw error instanceof UnavailableError ? new ConfigError(error.message) : error;
  } finally {
    for (const transfer of opened) await transfer.close();
  }
}

const inFile = (file: string, dataDir: string): NamedDatabase => ({
  name: file,
  open: () => openEmbeddedTransfer({ file, beforeUpgrade: () => backupBeforeUpgrade(dataDir, file) }),
});

function onServer({ kind, ...options }: Server): NamedDatabase {
  const { host, port, database } = options;
  const open = kind === 'postgres' ? openPostgresTransfer : openMongoTransfer;
  return { name: `${kind}://${serversIn(host, port)}/${database}`, open: () => open(options) };
}

/** A list of hosts in an address: `URL` does not accept one. */
const HOSTS = /(?<=^\w+:\/\/([^/@]*@)?)[^/@]*,[^/@]*(?=\/)/;

function serverAt(address: string): Omit<Server, 'password'> {
  const hosts = HOSTS.exec(address)?.[0];
  const single = address.replace(HOSTS, 'hosts');
  const url = URL.canParse(single) ? new URL(single) : undefined;
  const kind =
    url?.protocol === 'postgres:' ? 'postgres' : url?.protocol === 'mongodb:' ? 'mongodb' : undefined;
  const database = decodeURIComponent(url?.pathname.slice(1) ?? '');
  if (!url || !kind || url.hostname === '' || database === '') throw new ConfigError(FORM);
  // Every user of the host could read the password in the process list.
  if (url.password !== '') throw new ConfigError('Leave the password out of the address: it is asked for.');
  return {
    kind,
    host: hosts ?? url.hostname,
    port: Number(url.port || (kind === 'postgres' ? 5432 : 27_017)),
    user: decodeURIComponent(url.username),
    database,
    useTls: url.searchParams.get('tls') === 'true',
  };
}

/** A server without accounts needs none. */
async function password(
  env: NodeJS.ProcessEnv,
  address: string,
  input: PasswordInput,
  say: (line: string) => void,
): Promise<string> {
  if (serverAt(address).user === '') return '';
  return env['KAPTAIN_COPY_PASS'] ?? (await passwordFrom(input, say));
}
