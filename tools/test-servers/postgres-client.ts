import { Client } from 'pg';
import type { PostgresServer } from './postgres.ts';

/** A connection of another program, beside the service under test. */
export async function connectTo({ config }: PostgresServer): Promise<Client> {
  const client = new Client(config);
  // A server that is killed ends it.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
