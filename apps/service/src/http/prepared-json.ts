/** Node sends a short string in one packet with its headers; a longer one is faster as bytes, made once. */
const SHORT = 8_192;

/** An answer that is serialised already, because it is sent many times, or that has headers of its own. */
export class PreparedJson<T> {
  readonly text: string | Buffer;
  readonly headers: Readonly<Record<string, string>>;
  /** Only for the compiler: the type of the serialised value. */
  declare readonly value: T;

  private constructor(text: string | Buffer, headers: Readonly<Record<string, string>>) {
    this.text = text;
    this.headers = headers;
  }

  static of<T>(value: T, headers: Readonly<Record<string, string>> = {}): PreparedJson<T> {
    const text = JSON.stringify(value);
    return new PreparedJson(text.length > SHORT ? Buffer.from(text) : text, headers);
  }

  /** For JSON that is serialised in parts, because it is too long for one string. */
  static ofBytes<T>(text: Buffer): PreparedJson<T> {
    return new PreparedJson(text, {});
  }

  /** Lets tests check it against the contract like any other answer. */
  toJSON(): unknown {
    return JSON.parse(this.text.toString());
  }
}
