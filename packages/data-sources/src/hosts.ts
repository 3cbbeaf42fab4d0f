import { lookup } from 'node:dns/promises';
import type { DataSourceType } from '@kaptain/contract';
import { DataSourceError } from './errors.ts';

const HOST = /^[\p{L}\p{N}]([\p{L}\p{N}.:_-]*[\p{L}\p{N}])?$/u;
/** Unspecified and link-local addresses: cloud metadata services answer there, never a database. */
const FORBIDDEN_ADDRESS = /^(0\.0\.0\.0|::|(::ffff:)?169\.254\..*|fe80:.*|fd00:ec2::254)$/i;

/** Accepts a host name or address; refuses paths, URLs, options and metadata services, which hand out credentials. */
export async function requireHost(type: DataSourceType, host: string): Promise<string> {
  const refuse = () => new DataSourceError(type, 'refused', 'The name of its server is not allowed.');
  if (!HOST.test(host)) throw refuse();
  let addresses: { address: string }[] = [];
  try {
    addresses = await lookup(host, { all: true });
  } catch (error) {
    throw new DataSourceError(type, 'refused', undefined, error);
  }
  if (addresses.some(({ address }) => FORBIDDEN_ADDRESS.test(address))) throw refuse();
  return host;
}

/** A text value of a settings block; empty when it is missing. */
export const textIn = (block: Readonly<Record<string, unknown>>, key: string): string =>
  typeof block[key] === 'string' ? block[key] : '';
