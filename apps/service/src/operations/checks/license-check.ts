import type { LicenseSummary } from '@kaptain/contract';
import { DAY_MS } from '../../base/time/durations.ts';
import { type Check, error, ok, warning } from './check.ts';

const SOON_DAYS = 30;

export const licenseCheck = (license: LicenseSummary, now: number): Check => ({
  name: 'License',
  async check() {
    const { kind, message, expiresAt, isExpired } = license;
    if (kind === 'none') return warning(`${message} Enter it in the settings.`);
    if (kind === 'invalid') return error(`${message} Enter it again as it was sent to you.`);
    if (isExpired) return error(`${message} Ask for a new one.`);
    const isSoon = expiresAt !== null && Date.parse(expiresAt) - now < SOON_DAYS * DAY_MS;
    return isSoon ? warning(`${message} Ask for a new one in time.`) : ok(message);
  },
});
