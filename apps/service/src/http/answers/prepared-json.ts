import { limits } from '@kaptain/contract';
import { STRING_ANSWER_CHARACTERS } from '../tuning.ts';
import { hasLongList, jsonPieces } from './json-pieces.ts';

/** An answer that is serialised already, because it is sent many times, or that has headers of its own. */
export class PreparedJson<T> {
  /** One piece; several for a long answer, which is sent piece by piece. */
  readonly pieces: readonly [string | Buffer, ...Buffer[]];
  readonly headers: Readonly<Record<string, string>>;
  /** Only for the compiler: the type of the serialised value. */
  declare readonly value: T;

  private constructor(
    pieces: readonly [string | Buffer, ...Buffer[]],
    headers: Readonly<Record<string, string>>,
  ) {
    this.pieces = pieces;
    this.headers = headers;
  }

  static of<T>(value: T, headers: Readonly<Record<string, string>> = {}): PreparedJson<T> {
    const text = JSON.stringify(value);
    return new PreparedJson([text.length > STRING_ANSWER_CHARACTERS ? Buffer.from(text) : text], headers);
  }

  /** For lists that may be long: other requests get turns while it is serialised. */
  static async inTurns<T>(value: T): Promise<PreparedJson<T>> {
    if (!hasLongList(value)) return PreparedJson.of(value);
    const pieces = await jsonPieces(value);
    const bytes = pieces.reduce((sum, { length }) => sum + length, 0);
    if (bytes <= limits.jsonBytes) return PreparedJson.ofBytes(Buffer.concat(pieces));
    const [first = Buffer.alloc(0), ...rest] = pieces;
    return new PreparedJson([first, ...rest], {});
  }

  /** For JSON that is serialised in parts, because it is too long for one string. */
  static ofBytes<T>(text: Buffer): PreparedJson<T> {
    return new PreparedJson([text], {});
  }

  get bytes(): number {
    return this.pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
  }

  /** Lets tests check it against the contract like any other answer. */
  toJSON(): unknown {
    return JSON.parse(this.pieces.join(''));
  }
}
