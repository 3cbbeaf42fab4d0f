/** The body of an upload breaks the rules of multipart/form-data (RFC 7578). */
export class MalformedError extends Error {
  override name = 'MalformedError';
}
