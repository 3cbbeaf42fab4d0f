/** Why files are not taken, in words for a person. It knows nothing of HTTP, so that the thread has little to load. */
export class ImportRefusal extends Error {
  override name = 'ImportRefusal';
  readonly code: 'BAD_INPUT' | 'TOO_LARGE';
  constructor(message: string, code: ImportRefusal['code'] = 'BAD_INPUT') {
    super(message);
    this.code = code;
  }
}
