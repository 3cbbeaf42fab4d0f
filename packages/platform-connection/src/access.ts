import type { PlatformUser } from '@kaptain/contract';
import type { TlsFiles } from './rest.ts';

/** How one mode reaches the platform: addresses, headers and certificates, nothing else. */
export interface Access {
  /** The engine's address without the app, e.g. `wss://qlik.example.com:4747`. */
  engine: URL;
  /** Where the REST calls begin, with their prefix; DESKTOP has none. */
  rest: URL | null;
  /** Made anew for every connection: a token ages. */
  headers(): Record<string, string>;
  tls: TlsFiles;
  /** As whom the service acts, where the settings say so. */
  user: PlatformUser | null;
}
