import { createHmac, randomBytes } from 'node:crypto';
import type { Call } from '../../base/call/call.ts';
import { sameSecret } from '../../base/secrets/tokens.ts';
import { CLOCK_TOLERANCE_MS } from '../../base/time/clock.ts';

/** With this prefix browsers accept the cookie only over HTTPS and send it only to this host. */
const COOKIE = '__Host-kd';
const LIFE_MS = 90 * 24 * 3_600_000;

type DeviceCall = Pick<Call, 'header' | 'origin'>;

/**
 * Browsers in which a user has logged in before. The cookie authenticates nothing: failed logins from a known device
 * count on the device and not on the account, so that failures elsewhere can't lock its user out.
 */
export interface Devices {
  /** The id of the device that a call comes from, when it is known for this user. */
  of(call: DeviceCall, userId: string): string | undefined;
  /** The headers that store the device cookie; none over plain HTTP, where it could be read on the network. */
  remember(call: DeviceCall, userId: string): Record<string, string>;
}

interface Deps {
  pepper: () => Buffer;
  clock: () => number;
}

export function createDevices({ pepper, clock }: Deps): Devices {
  // Starts with a character that no API key has, so that a signature never equals the hash of a key.
  const sign = (...parts: readonly string[]) =>
    createHmac('sha256', pepper())
      .update(`\0device ${parts.join(' ')}`)
      .digest('base64url');
  const isSecure = ({ origin }: DeviceCall) => origin.startsWith('https:');

  const of: Devices['of'] = (call, userId) => {
    const cookie = isSecure(call) ? cookieOf(call) : undefined;
    const [device = '', until = '', signature = ''] = cookie?.split('.') ?? [];
    const isOurs = sameSecret(signature, sign(device, until, userId));
    const left = Number(until) - clock();
    return isOurs && left > 0 && left <= LIFE_MS + CLOCK_TOLERANCE_MS ? device : undefined;
  };

  return {
    of,
    remember(call, userId) {
      if (!isSecure(call)) return {};
      const device = of(call, userId) ?? randomBytes(16).toString('base64url');
      const until = String(clock() + LIFE_MS);
      const value = [device, until, sign(device, until, userId)].join('.');
      const rules = `Path=/; Max-Age=${LIFE_MS / 1000}; Secure; HttpOnly; SameSite=Strict`;
      return { 'set-cookie': `${COOKIE}=${value}; ${rules}` };
    },
  };
}

function cookieOf(call: DeviceCall): string | undefined {
  const cookies = call.header('cookie')?.split(';') ?? [];
  const found = cookies.find((cookie) => cookie.trim().startsWith(`${COOKIE}=`));
  return found?.trim().slice(COOKIE.length + 1);
}
