export { connectPlatform, type PlatformOptions } from './connect.ts';
export { type FailureCategory, PlatformError } from './errors.ts';
export { type PingResult, pingPlatform } from './ping.ts';
export type {
  Platform,
  PlatformApp,
  PlatformSettings,
  ReloadOrder,
  ReloadProgress,
  ReloadResult,
  Timeouts,
} from './platform.ts';
export { type PersonSession, personBySession, personByToken } from './proof.ts';
