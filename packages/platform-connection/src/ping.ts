import { connectPlatform, type PlatformOptions } from './connect.ts';
import { explain, type FailureCategory } from './errors.ts';
import type { PlatformSettings } from './platform.ts';

export type PingResult =
  | { ok: true; latencyMs: number; message: string }
  | { ok: false; category: FailureCategory; message: string };

/** Tests the connection once, for "Test connection" on the settings page; never throws. */
export async function pingPlatform(
  settings: PlatformSettings,
  options: PlatformOptions,
): Promise<PingResult> {
  const since = performance.now();
  try {
    const { userId, userDirectory } = await connectPlatform(settings, options).whoAmI();
    const user = userDirectory ? `${userDirectory}\\${userId}` : userId;
    return { ok: true, latencyMs: Math.round(performance.now() - since), message: `Connected as ${user}.` };
  } catch (error) {
    const { category, message } = explain(error, 'the platform');
    return { ok: false, category, message };
  }
}
