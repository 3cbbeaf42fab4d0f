import { type QvdErrorCode, QvdFormatError, type QvdWarning } from '../errors.ts';
import type { HeaderNode } from './header-scanner.ts';
import { decodeHeaderText } from './header-text.ts';

/** Reads texts and numbers of one element; has the column's name for messages. */
export class HeaderReader {
  readonly node: HeaderNode;
  readonly #bytes: Uint8Array;
  readonly #warnings: QvdWarning[];
  readonly #field: string | undefined;

  constructor(node: HeaderNode, bytes: Uint8Array, warnings: QvdWarning[], field?: string) {
    this.node = node;
    this.#bytes = bytes;
    this.#warnings = warnings;
    this.#field = field;
  }

  child(name: string): HeaderReader | undefined {
    const node = this.node.children.find((child) => child.name === name);
    return node && new HeaderReader(node, this.#bytes, this.#warnings, this.#field);
  }

  list(name: string): HeaderReader[] {
    const nodes = this.child(name)?.node.children ?? [];
    return nodes.map((node) => new HeaderReader(node, this.#bytes, this.#warnings, this.#field));
  }

  of(field: string): HeaderReader {
    return new HeaderReader(this.node, this.#bytes, this.#warnings, field);
  }

  /** The element's own text. */
  text(): string {
    const { name, start, end } = this.node;
    const { text, unescaped, invalidUtf8 } = decodeHeaderText(this.#bytes.subarray(start, end));
    if (unescaped) this.warn('UNESCAPED_MARKUP', `${name} holds "<" or "&" unescaped.`);
    if (invalidUtf8) this.warn('NAME_UTF8', `${name} holds bytes that are not UTF-8.`);
    return text;
  }

  /** The text of an optional element. */
  optionalText(name: string): string {
    return this.child(name)?.text() ?? '';
  }

  required(name: string): HeaderReader {
    const child = this.child(name);
    if (child) return child;
    const message = `The header lacks ${name} in ${this.node.name}.`;
    throw new QvdFormatError('HEADER_MISSING', message, { field: this.#field, offset: this.node.start });
  }

  /** Accepts decimal digits only: no spaces, exponents or hexadecimal. `outOfRange` is the code for others. */
  integer(name: string, outOfRange: QvdErrorCode, signed = false): number {
    const element = this.required(name);
    const { start, end } = element.node;
    const raw = end - start > 40 ? '' : element.text();
    if (!/^-?[0-9]+$/.test(raw)) throw element.refuse('HEADER_NUMBER', `${name} is not an integer.`);
    const value = Number(raw);
    if (!Number.isSafeInteger(value) || (value < 0 && !signed)) {
      throw element.refuse(outOfRange, `${name} is out of range: ${raw}.`);
    }
    return value;
  }

  refuse(code: QvdErrorCode, message: string): QvdFormatError {
    return new QvdFormatError(code, message, { field: this.#field, offset: this.node.start });
  }

  warn(code: QvdWarning['code'], message: string): void {
    this.#warnings.push({ code, message, field: this.#field ?? null });
  }
}
