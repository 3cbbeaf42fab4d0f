import { type ErrorCode, errorCodes } from '@kaptain/contract';

interface Details {
  /** Seconds until a retry makes sense. */
  retryAfter?: number;
  headers?: Record<string, string>;
  /** For programs; part of the answer. */
  details?: unknown;
  /** For the log. */
  cause?: unknown;
}

/** An expected failure: its code decides the HTTP status, its message is shown to the user. */
export class AppError extends Error {
  override name = 'AppError';
  readonly code: ErrorCode;
  readonly headers: Record<string, string>;
  readonly details: unknown;
  constructor(code: ErrorCode, message: string = errorCodes[code][1], details: Details = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.headers = { ...details.headers };
    this.details = details.details;
    if (details.retryAfter !== undefined) this.headers['retry-after'] = String(details.retryAfter);
  }
}

/** A body that is refused while it arrives, or by its declared length. */
export const bodyTooLarge = (most: number): AppError =>
  new AppError('TOO_LARGE', `The body may have at most ${most.toLocaleString('en-US')} bytes.`);
