import { MongoClient } from 'mongodb';
import { UnavailableError } from '../../errors.ts';
import { addressesIn, addressText } from '../shared/host-list.ts';
import { DATABASE_SILENCE_MS } from '../shared/tuning.ts';
import { Database } from './database.ts';
import { fromOpening } from './driver-errors.ts';
import { CONNECTION_WAIT_MS, MOST_CONNECTIONS } from './tuning.ts';

export interface MongoOptions {
  /** One host, or several of a replica set with commas between them, and with ports where these differ. */
  host: string;
  port: number;
  /** '' for a server without accounts. */
  user: string;
  password: string;
  database: string;
  /** Speak TLS; the server's certificate must be one that this computer trusts. */
  useTls?: boolean;
  /** How long the server may be silent before callers are told so. */
  silenceMs?: number;
}

const AUTHENTICATION_FAILED = 18;

export async function connect(options: MongoOptions): Promise<Database> {
  try {
    return await connectAs(options, 'admin');
  } catch (error) {
    // Accounts are in `admin`, or in the database that they were made for.
    const isRefused = (error as { code?: unknown }).code === AUTHENTICATION_FAILED;
    const again = isRefused
      ? await connectAs(options, options.database).catch((reason: unknown) => reason)
      : error;
    if (again instanceof Database) return again;
    throw fromOpening(again);
  }
}

async function connectAs(options: MongoOptions, authSource: string): Promise<Database> {
  const { user, password, database, useTls = false, silenceMs = DATABASE_SILENCE_MS } = options;
  const address = addressOf(options);
  const settings = {
    ...(user !== '' && { auth: { username: user, password }, authSource }),
    tls: useTls,
    appName: 'kaptain',
    serverSelectionTimeoutMS: silenceMs,
    connectTimeoutMS: silenceMs,
    waitQueueTimeoutMS: CONNECTION_WAIT_MS,
    socketTimeoutMS: 60_000,
    ignoreUndefined: true,
  };
  const client = new MongoClient(address, { ...settings, maxPoolSize: MOST_CONNECTIONS, w: 'majority' });
  const asker = new MongoClient(address, { ...settings, maxPoolSize: 1 });
  try {
    await client.connect();
    const hello = await client.db(database).command({ isMaster: 1 });
    await asker.connect();
    const isReplicaSet = hello['setName'] !== undefined || hello['msg'] === 'isdbgrid';
    return new Database({ client, prober: asker, name: database, isReplicaSet, silenceMs });
  } catch (error) {
    await Promise.all([client.close(), asker.close()]);
    throw error;
  }
}

function addressOf({ host, port }: MongoOptions): string {
  const members = addressesIn(host, port).map((member) => {
    if (member && /^[\w.:-]+$/.test(member.host)) return addressText(member);
    throw new UnavailableError('The host of the database is not a valid name.');
  });
  return `mongodb://${members.join(',')}/`;
}
