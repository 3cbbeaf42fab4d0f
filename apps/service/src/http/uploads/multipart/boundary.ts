import { MalformedError } from './malformed.ts';
import { parametersOf } from './parameters.ts';

const TYPE = /^multipart\/form-data[ \t]*(?:;|$)/i;
/** RFC 2046, 5.1.1. */
const BOUNDARY = /^[\w'()+,\-./:=? ]{0,69}[\w'()+,\-./:=?]$/;

/** The boundary in a Content-Type; undefined when it is not multipart/form-data. */
export function boundaryOf(contentType = ''): string | undefined {
  if (!TYPE.test(contentType)) return undefined;
  // RFC 7578 has no `boundary*=`: a proxy in front would look for another delimiter.
  const boundary = parametersOf(contentType, false).get('boundary') ?? '';
  if (!BOUNDARY.test(boundary)) throw new MalformedError('The boundary is missing or not valid.');
  return boundary;
}
