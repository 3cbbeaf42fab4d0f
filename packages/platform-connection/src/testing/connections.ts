import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectPlatform, PlatformError, type PlatformSettings, type Timeouts } from '../index.ts';

/** A test waits for an answer as long as a slow machine needs. */
const timeouts = { connectMs: 60_000, requestMs: 60_000, progressMs: 5, stalledMs: 300 };

/** With the certificate files that the test has written into this folder. */
export function connectionsIn(folder: string) {
  const connect = (settings: PlatformSettings, differing: Partial<Timeouts> = {}, clock = Date.now) =>
    connectPlatform(settings, { folder, clock, timeouts: { ...timeouts, ...differing } });
  const written = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return name;
  };
  return { connect, written };
}

export const failure = async (work: Promise<unknown> | (() => Promise<unknown>)): Promise<PlatformError> => {
  try {
    await (typeof work === 'function' ? work() : work);
  } catch (error) {
    if (error instanceof PlatformError) return error;
    throw error;
  }
  throw new Error('This should have failed.');
};
