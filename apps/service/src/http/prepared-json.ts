/** Node sends a short text together with its headers; a long one is better off as bytes, made once. */
const SHORT = 8_192;

/** An answer that is JSON text already, built once and sent many times, or that has headers of its own. */
export class PreparedJson<T> {
  readonly text: string | Buffer;
  readonly headers: Readonly<Record<string, string>>;
  /** Only for the compiler: what the text says. */
  declare readonly value: T;

  constructor(value: T, headers: Readonly<Record<string, string>> = {}) {
    const text = JSON.stringify(value);
    this.text = text.length > SHORT ? Buffer.from(text) : text;
    this.headers = headers;
  }

  /** So that tests can hold it against the contract like any other answer. */
  toJSON(): unknown {
    return JSON.parse(this.text.toString());
  }
}
