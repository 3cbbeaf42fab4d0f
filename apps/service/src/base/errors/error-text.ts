import { asFileError } from './as-file-error.ts';
import { ConfigError } from './config-error.ts';

/** The text for the terminal: one sentence for an error that the admin can correct, the stack for a bug. */
export function errorText(error: unknown): string {
  const known = asFileError(error);
  if (known instanceof ConfigError) return known.message;
  return known instanceof Error ? (known.stack ?? known.message) : String(known);
}
