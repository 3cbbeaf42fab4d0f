import { vi } from 'vitest';

/** What is waited for may take as long as a slow machine needs; what never comes still fails. */
const PATIENCE_MS = 60_000;

const { waitFor } = vi;
vi.waitFor = (callback, options) =>
  waitFor(callback, { timeout: PATIENCE_MS, ...(typeof options === 'object' && options) });
