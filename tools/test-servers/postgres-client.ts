import { Client } from 'pg';
import type { PostgresServer } from './postgres.ts';

/** A connection of another program, beside the service under test. */
export async function connectTo({ config }: PostgresServer): Promise<Client> {
  const client = new Client(config);
  await client.connect();
  return client;
}
