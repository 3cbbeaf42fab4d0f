import { lookup } from 'node:dns/promises';
import type { DataSourceType } from '@kaptain/contract';
import { DataSourceError } from './errors.ts';

const HOST = /^[\p{L}\p{N}]([\p{L}\p{N}.:_-]*[\p{L}\p{N}])?$/u;
/** Addresses of machines' own metadata services and of nowhere: no database lives there. */
const NEVER = /^(0\.0\.0\.0|::|(::ffff:)?169\.254\..*|fe80:.*|fd00:ec2::254)$/i;

/** A name or an address, never a path, a URL or an option; and none of those that hand out credentials. */
export async function requireHost(type: DataSourceType, host: string): Promise<string> {
  const refuse = () => new DataSourceError(type, 'refused', 'The name of its server is not allowed.');
  if (!HOST.test(host)) throw refuse();
  let addresses: { address: string }[] = [];
  try {
    addresses = await lookup(host, { all: true });
  } catch (error) {
    throw new DataSourceError(type, 'refused', undefined, error);
  }
  if (addresses.some(({ address }) => NEVER.test(address))) throw refuse();
  return host;
}

/** A text of a settings block. */
export const textIn = (block: Readonly<Record<string, unknown>>, key: string): string =>
  typeof block[key] === 'string' ? block[key] : '';

/** Connections to one source; the service gives two thirds of them to long answers at most. */
export const POOL_SIZE = 12;
export const CONNECT_MS = 5_000;
/** For one statement; an import is many. */
export const STATEMENT_MS = 60_000;
export const LOCK_MS = 10_000;
