import { MalformedError } from './malformed.ts';
import { parametersOf } from './parameters.ts';

const TYPE = /^multipart\/form-data[ \t]*(?:;|$)/i;
/** RFC 2046, 5.1.1. */
const BOUNDARY = /^[\w'()+,\-./:=? ]{0,69}[\w'()+,\-./:=?]$/;

/** The boundary that a Content-Type names; undefined when it is no multipart/form-data. */
export function boundaryOf(contentType = ''): string | undefined {
  if (!TYPE.test(contentType)) return undefined;
  const boundary = parametersOf(contentType).get('boundary') ?? '';
  if (!BOUNDARY.test(boundary)) throw new MalformedError('The boundary is missing or not valid.');
  return boundary;
}
