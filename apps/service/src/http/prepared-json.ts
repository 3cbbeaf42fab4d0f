/** An answer that is JSON text already, built once and sent many times, or that has headers of its own. */
export class PreparedJson<T> {
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  /** Only for the compiler: what the text says. */
  declare readonly value: T;

  constructor(value: T, headers: Readonly<Record<string, string>> = {}) {
    this.bytes = Buffer.from(JSON.stringify(value));
    this.headers = headers;
  }

  /** So that tests can hold it against the contract like any other answer. */
  toJSON(): unknown {
    return JSON.parse(this.bytes.toString());
  }
}
