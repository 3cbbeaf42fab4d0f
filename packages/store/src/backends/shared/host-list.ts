import { isIPv6 } from 'node:net';

/** One server of a list. */
export interface Address {
  host: string;
  port: number;
}

/** `[::1]` or `[::1]:5432`, and `name` or `name:5432`. */
const FORMS = [/^\[([^[\]]+)\](?::(\d{1,5}))?$/, /^([^:[\]]+)(?::(\d{1,5}))?$/];

function addressOf(entry: string, port: number): Address | undefined {
  // An address of IPv6 without brackets has no port of its own.
  if (isIPv6(entry)) return { host: entry, port };
  const match = FORMS.map((form) => form.exec(entry)).find((found) => found !== null);
  const address = { host: match?.[1] ?? '', port: Number(match?.[2] ?? port) };
  return address.host !== '' && address.port >= 1 && address.port <= 65_535 ? address : undefined;
}

/** The servers of `a, b:5433`; `port` is for entries without one. An invalid entry is undefined. */
export const addressesIn = (list: string, port: number): (Address | undefined)[] =>
  list.split(',').map((entry) => addressOf(entry.trim(), port));

/** An address as a list has it. */
export const addressText = ({ host, port }: Address): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`;
