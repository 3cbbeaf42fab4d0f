import { QvdFormatError } from '../errors.ts';
import { HEADER_SHAPE, type Shape } from './header-shape.ts';

/** One element; `start` and `end` enclose its content and are byte positions in the file. */
export interface HeaderNode {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly children: readonly HeaderNode[];
}

interface ScannedHeader {
  readonly root: HeaderNode;
  /** Some writers drop the last character of the header. */
  readonly rootEndTagCut: boolean;
}

const NO_CHILDREN: readonly HeaderNode[] = [];
const MAX_DEPTH = 8;

/**
 * Reads the header by its known element names. It is deliberately not an XML parser: real files contain unescaped `<`
 * and `&`, and a parser's features (document types, entities) are only an attack surface.
 */
export function scanHeader(bytes: Uint8Array, maxFields: number): ScannedHeader {
  // latin1 has one character per byte, so that every index is a byte position; all element names are ASCII.
  const text = new TextDecoder('latin1').decode(bytes);
  let at = text.startsWith('\u00ef\u00bb\u00bf') ? 3 : 0;

  const refuse = (message: string): never => {
    throw new QvdFormatError('HEADER_UNSUPPORTED', message, { offset: at });
  };

  function skipSpace(): void {
    while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at++;
  }

  /** Reads `<Name>` or `<Name/>`; `closed` is true for the latter. */
  function openTag(): { name: string; closed: boolean } {
    skipSpace();
    if (at >= text.length) throw truncated(at);
    if (text.charAt(at) !== '<') refuse('Text between two elements of the header.');
    if (text.charAt(at + 1) === '!') refuse('A document type, comment or CDATA is not part of a QVD header.');
    const end = text.indexOf('>', at);
    if (end < 0) throw truncated(at);
    const closed = text.charAt(end - 1) === '/';
    const name = /^[A-Za-z_][\w.-]*/.exec(text.slice(at + 1, Math.min(end, at + 101)))?.[0] ?? '';
    const next = text.charAt(at + 1 + name.length);
    if (name === '' || !' \t\r\n/>'.includes(next)) refuse('Malformed tag in the header.');
    at = end + 1;
    return { name, closed };
  }

  /** Reads the content up to the element's end tag, with any characters in it. */
  function leaf(name: string): HeaderNode {
    const start = at;
    const endTag = `</${name}>`;
    const end = text.indexOf(endTag, at);
    if (end < 0) throw truncated(start, name);
    at = end + endTag.length;
    return { name, start, end, children: NO_CHILDREN };
  }

  function unknown(name: string): void {
    const { start, end } = leaf(name);
    let depth = 1;
    for (const [tag] of text.slice(start, end).matchAll(/<\/?[A-Za-z_][\w.-]*>/g)) {
      depth += tag.startsWith('</') ? -1 : 1;
      if (depth > MAX_DEPTH) refuse(`More than ${MAX_DEPTH} nested elements.`);
    }
  }

  function branch(name: string, shape: Shape & { kind: 'group' | 'list' }): HeaderNode {
    const start = at;
    const children: HeaderNode[] = [];
    const seen = new Set<string>();
    for (;;) {
      skipSpace();
      if (text.startsWith('</', at)) break;
      const before = at;
      const tag = openTag();
      const inner = shape.children.get(tag.name);
      if (inner && shape.kind === 'group') {
        if (seen.has(tag.name)) throw duplicate(tag.name, before);
        seen.add(tag.name);
      }
      const child = element(tag.name, tag.closed, inner);
      if (child) children.push(child);
      if (children.length > maxFields) {
        throw new QvdFormatError('LIMIT_FIELDS', `More than ${maxFields} entries in ${name}.`, {
          offset: before,
        });
      }
    }
    const end = at;
    if (!text.startsWith(`</${name}`, at)) refuse(`The end tag of ${name} was expected.`);
    at += name.length + 2;
    if (text.charAt(at) === '>') at++;
    else if (at < text.length || name !== 'QvdTableHeader') refuse(`The end tag of ${name} is malformed.`);
    return { name, start, end, children };
  }

  function element(name: string, closed: boolean, shape: Shape | undefined): HeaderNode | undefined {
    if (closed) return { name, start: at, end: at, children: NO_CHILDREN };
    if (!shape) unknown(name);
    else if (shape.kind === 'skip') leaf(name);
    else return shape.kind === 'text' ? leaf(name) : branch(name, shape);
    return undefined;
  }

  skipSpace();
  if (text.startsWith('<?xml', at)) {
    const end = text.indexOf('?>', at);
    if (end < 0) throw truncated(at);
    at = end + 2;
  }
  const { name, closed } = openTag();
  const shape = HEADER_SHAPE.get(name);
  if (!shape)
    throw new QvdFormatError('NOT_QVD', 'Not a QVD file: its root element is not QvdTableHeader.', {
      offset: at,
    });
  const root = element(name, closed, shape) ?? refuse('Empty header.');
  const rootEndTagCut = text.charAt(at - 1) !== '>';
  skipSpace();
  if (at < text.length) refuse('Text after the end of the header.');
  return { root, rootEndTagCut };
}

function truncated(offset: number, name?: string): QvdFormatError {
  const message = name ? `The element ${name} is not closed.` : 'The header ends too early.';
  return new QvdFormatError('HEADER_TRUNCATED', message, { offset });
}

function duplicate(name: string, offset: number): QvdFormatError {
  return new QvdFormatError('HEADER_DUPLICATE', `The header holds ${name} twice.`, { offset });
}
