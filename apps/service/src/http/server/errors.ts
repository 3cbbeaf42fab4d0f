import { type ErrorAnswer, type ErrorCode, errorCodes } from '@kaptain/contract';
import {
  DiskFullError,
  GranuleConflictError,
  InvalidTextError,
  NotFoundError,
  StaleVersionError,
  UnavailableError,
  UniqueError,
} from '@kaptain/store';
import { AppError } from '../../base/errors/app-error.ts';

const fastifyCodes: Record<string, ErrorCode> = {
  FST_ERR_NOT_FOUND: 'NOT_FOUND',
  FST_ERR_BAD_URL: 'BAD_REQUEST',
  FST_ERR_MAX_PARAM_LENGTH: 'URL_TOO_LONG',
  FST_ERR_CTP_BODY_TOO_LARGE: 'TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'WRONG_TYPE',
  FST_ERR_CTP_INVALID_JSON_BODY: 'BAD_JSON',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'BAD_JSON',
};

const property = (error: unknown, name: string): unknown =>
  typeof error === 'object' && error !== null ? (error as Record<string, unknown>)[name] : undefined;

/** Messages of data sources are written for users; a value that one refuses is bad input. */
function dataSourceAnswer(error: Error): AppError {
  const refused = property(error, 'refused');
  if (typeof refused === 'object' && refused !== null) {
    const { message } = error;
    const details = { count: 1, refused: [{ rule: 'type', ...refused, message }] };
    return new AppError('VALUES_REFUSED', message, { details });
  }
  const category = String(property(error, 'category'));
  if (['value', 'tooLong', 'overflow', 'binding'].includes(category))
    return new AppError('BAD_INPUT', error.message);
  if (category === 'exists' || category === 'inUse') return new AppError('CONFLICT', error.message);
  if (category === 'foreign') return new AppError('FORBIDDEN', error.message);
  return new AppError('UNAVAILABLE', error.message, { retryAfter: 10 });
}

/** Both values of the first conflicting keys, as many as fit into one answer, so that the caller can resolve them. */
function conflictAnswer({ conflicts, count }: GranuleConflictError): AppError {
  const message =
    count === 1
      ? `${conflicts[0]?.key} was changed meanwhile.`
      : `${count} of these records were changed meanwhile.`;
  return new AppError('CONFLICT', message, { details: { conflicts } });
}

/** Turns any error into an AppError; messages of unexpected errors stay in the log, because they may contain paths. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof UniqueError) return new AppError('CONFLICT', `This ${error.field} is taken already.`);
  if (error instanceof StaleVersionError) return new AppError('STALE');
  if (error instanceof GranuleConflictError) return conflictAnswer(error);
  if (error instanceof NotFoundError) return new AppError('NOT_FOUND');
  if (error instanceof InvalidTextError) return new AppError('BAD_INPUT', error.message);
  if (error instanceof UnavailableError)
    return new AppError('UNAVAILABLE', 'The database does not answer. Please try again in a moment.', {
      retryAfter: 5,
    });
  if (error instanceof DiskFullError) return new AppError('DISK_FULL');
  // Compared by name, because the package is loaded only when a data source is used.
  if (error instanceof Error && error.name === 'DataSourceError') return dataSourceAnswer(error);
  const code = fastifyCodes[String(property(error, 'code'))];
  if (code) return new AppError(code);
  const status = property(error, 'statusCode');
  if (typeof status === 'number' && status >= 400 && status < 500) return new AppError('BAD_REQUEST');
  return new AppError(
    'INTERNAL',
    'Something went wrong. The system log has the details under this request id.',
  );
}

export const errorAnswer = ({ code, message, details }: AppError, requestId: string): ErrorAnswer => ({
  statusCode: errorCodes[code][0],
  code,
  message,
  requestId,
  ...(details !== undefined && { details }),
});
