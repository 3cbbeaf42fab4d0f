/** An answer that is JSON text already: built once, sent many times. */
export class PreparedJson<T> {
  readonly bytes: Buffer;
  /** Only for the compiler: what the text says. */
  declare readonly value: T;

  constructor(value: T) {
    this.bytes = Buffer.from(JSON.stringify(value));
  }

  /** So that tests can hold it against the contract like any other answer. */
  toJSON(): unknown {
    return JSON.parse(this.bytes.toString());
  }
}
