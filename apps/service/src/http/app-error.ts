import { type ErrorCode, errorCodes } from '@kaptain/contract';

interface Details {
  /** Seconds until a retry makes sense. */
  retryAfter?: number;
  headers?: Record<string, string>;
  /** For programs; part of the answer. */
  details?: unknown;
}

/** An expected failure: its code decides the HTTP status, its message is shown to the user. */
export class AppError extends Error {
  override name = 'AppError';
  readonly code: ErrorCode;
  readonly headers: Record<string, string>;
  readonly details: unknown;
  constructor(code: ErrorCode, message: string = errorCodes[code][1], details: Details = {}) {
    super(message);
    this.code = code;
    this.headers = { ...details.headers };
    this.details = details.details;
    if (details.retryAfter !== undefined) this.headers['retry-after'] = String(details.retryAfter);
  }
}
