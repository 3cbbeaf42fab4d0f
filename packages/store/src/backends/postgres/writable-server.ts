import { Client } from 'pg';
import { UnavailableError } from '../../errors.ts';
import { type Address, addressesIn, addressText } from '../shared/host-list.ts';
import { DATABASE_SILENCE_MS } from '../shared/tuning.ts';
import { clientConfig, type PostgresOptions } from './config.ts';
import { destroySocket } from './destroy-socket.ts';
import { fromConnecting } from './driver-errors.ts';

const READ_ONLY = '25006';

/** The servers that the options name. */
export function serversOf({ host, port }: PostgresOptions): Address[] {
  const addresses = addressesIn(host, port);
  const good = addresses.filter((address) => address !== undefined);
  if (good.length === addresses.length) return good;
  throw new UnavailableError(`${host} is not a host, nor a list of hosts like db-1:5432,db-2:5432.`);
}

/** The server that accepts writes, of a primary and its standbys: the first of them that says so. */
export async function writableServer(
  options: PostgresOptions,
  servers: readonly Address[],
): Promise<Address> {
  try {
    return await Promise.any(servers.map((server) => requireWritable(options, server)));
  } catch (error) {
    const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
    const names = servers.map(addressText).join(', ');
    const reason = first instanceof Error ? first.message : '';
    throw new UnavailableError(`None of the PostgreSQL servers ${names} accepts writes now. ${reason}`, {
      cause: error,
    });
  }
}

async function requireWritable(options: PostgresOptions, server: Address): Promise<Address> {
  const at = { ...options, ...server };
  const { silenceMs = DATABASE_SILENCE_MS } = options;
  const client = new Client({ ...clientConfig(at), query_timeout: silenceMs });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ transaction_read_only: string }>('SHOW transaction_read_only');
    if (rows[0]?.transaction_read_only !== 'off')
      throw Object.assign(new Error('It is a standby.'), { code: READ_ONLY });
    client.end().catch(() => undefined);
    return server;
  } catch (error) {
    // Destroyed, not ended: a server that hangs would keep the socket open.
    destroySocket(client);
    throw fromConnecting(error, at);
  }
}
