import type { PlatformUser } from '@kaptain/contract';
import type { TlsFiles } from './rest.ts';

/** The differences between connection modes: addresses, headers and certificates. */
export interface Access {
  /** The engine's address without the app, e.g. `wss://qlik.example.com:4747`. */
  engine: URL;
  /** The base URL of REST calls, prefix included; null for DESKTOP, which has no REST API. */
  rest: URL | null;
  /** Built for every connection, because tokens expire. */
  headers(): Record<string, string>;
  tls: TlsFiles;
  /** The user that the service acts as, where the settings name one. */
  user: PlatformUser | null;
}
