/**
 * Why files are refused, with a message for the user. It does not import HTTP code, so that the thread loads little.
 */
export class ImportRefusal extends Error {
  override name = 'ImportRefusal';
  readonly code: 'BAD_INPUT' | 'TOO_LARGE';
  constructor(message: string, code: ImportRefusal['code'] = 'BAD_INPUT') {
    super(message);
    this.code = code;
  }
}
