import { vi } from 'vitest';

/** A wait takes as long as a slow machine needs; an event that never comes still fails the test. */
const PATIENCE_MS = 60_000;

const { waitFor } = vi;
vi.waitFor = (callback, options) =>
  waitFor(callback, { timeout: PATIENCE_MS, ...(typeof options === 'object' && options) });
