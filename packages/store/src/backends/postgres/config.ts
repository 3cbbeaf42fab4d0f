import { isIP } from 'node:net';
import { type ClientConfig, type CustomTypesConfig, types as standardTypes } from 'pg';
import { DATABASE_SILENCE_MS } from '../shared/tuning.ts';
import { KEEP_ALIVE_MS, STATEMENT_MS } from './tuning.ts';

export interface PostgresOptions {
  /** One host, or several with commas between them and with ports where these differ: a primary and its standbys. */
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
  /** Speak TLS; the server's certificate must be one that this computer trusts (docs/decisions/008). */
  useTls?: boolean;
  /** How long a unit of work may keep the others waiting before it is rolled back. */
  unitLimitMs?: number;
  /** How long the server may be silent before callers are told so. */
  silenceMs?: number;
  /** Rows of an import that are written together; tests set few, to cross the edges of slices. */
  sliceRows?: number;
}

const INT8: number = 20;

/** Our numbers all fit into a double; as text they would be compared as text. */
const types: CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    (oid as number) === INT8
      ? Number
      : (standardTypes.getTypeParser(oid, format) as (value: string) => unknown),
};

export function clientConfig(options: PostgresOptions): ClientConfig {
  const { host, port, user, password, database, useTls = false, silenceMs = DATABASE_SILENCE_MS } = options;
  return {
    host,
    port,
    user,
    password,
    database,
    ssl: useTls ? tlsTo(host) : false,
    types,
    application_name: 'kaptain',
    keepAlive: true,
    // Without keep-alive, long work would wait two hours when the network drops every packet.
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    connectionTimeoutMillis: silenceMs,
    statement_timeout: STATEMENT_MS,
    // Behind the server's own limit, for a server that went silent.
    query_timeout: STATEMENT_MS + 5_000,
    // The locks of a process that the network has cut off are released after this.
    idle_in_transaction_session_timeout: 2 * STATEMENT_MS,
  };
}

/** The loopback address needs no certificate check: its traffic never leaves the host, and no authority certifies it. */
function tlsTo(host: string): { rejectUnauthorized: boolean; servername?: string } {
  const isLoopback = host === 'localhost' || host === '::1' || host.startsWith('127.');
  return { rejectUnauthorized: !isLoopback, ...(isIP(host) === 0 && { servername: host }) };
}
