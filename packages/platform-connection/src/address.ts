import { PlatformError } from './errors.ts';

/** Parses `host`, `host:port` or `[::1]:port` of the settings; refuses anything else, such as a path. */
export function addressOf(scheme: 'ws' | 'wss' | 'http' | 'https', given: string, standardPort = ''): URL {
  const text = given.trim();
  const address = `${scheme}://${text}`;
  if (text === '' || /[\s/?#@\\]/.test(text) || !URL.canParse(address))
    throw new PlatformError('other', `"${text}" is not a host name: enter it like qlik.example.com.`);
  const url = new URL(address);
  if (url.port === '' && standardPort !== '' && !/:\d+$/.test(text)) url.port = standardPort;
  return url;
}

/** Prepends the virtual proxy's prefix to a path. */
export function under(base: URL, prefix: string, path: string): URL {
  const url = new URL(base);
  const inner = prefix.split('/').filter(Boolean).map(encodeURIComponent);
  url.pathname = [...inner, path].filter(Boolean).join('/');
  return url;
}
