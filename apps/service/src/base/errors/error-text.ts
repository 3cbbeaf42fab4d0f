import { asFileError } from './as-file-error.ts';
import { ConfigError } from './config-error.ts';

/** The text for the terminal: one sentence for an error that the admin can correct, the stack for a bug. */
export function errorText(error: unknown): string {
  const fileError = asFileError(error);
  if (fileError instanceof ConfigError) return fileError.message;
  return fileError instanceof Error ? (fileError.stack ?? fileError.message) : String(fileError);
}
