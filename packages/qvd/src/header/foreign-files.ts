import { QvdFormatError } from '../errors.ts';

const ROOT = '<QvdTableHeader';

/** Other file types that are renamed to .qvd, recognized by their first bytes for a helpful message. */
const FOREIGN: readonly (readonly [start: string, what: string])[] = [
  ['version https://git-lfs', 'it is a Git LFS pointer; fetch the real file with "git lfs pull"'],
  ['\xd0\xcf\x11\xe0', 'it is an OLE file (old Office document or QVW)'],
  ['\x1f\x8b', 'it is a gzip file; unpack it first'],
  ['PK\x03\x04', 'it is a ZIP file'],
  ['SQLite format 3', 'it is an SQLite file (perhaps a renamed QVF)'],
  ['<QvxTableHeader', 'it is a QVX file'],
  ['<html', 'it is a web page'],
  ['<!doctype html', 'it is a web page'],
];

/** Refuses a file whose first bytes can't be a QVD. */
export function refuseForeignFile(firstBytes: Uint8Array): void {
  const start = String.fromCharCode(...firstBytes.subarray(0, 1024));
  if (start === '') throw notQvd('it is empty');
  if (['\xff\xfe', '\xfe\xff', '<\0', '\0<'].some((mark) => start.startsWith(mark))) {
    throw unsupported('The header is UTF-16; QVD headers are UTF-8.');
  }
  const text = withoutProlog(start);
  const lower = text.toLowerCase();
  for (const [known, what] of FOREIGN) if (lower.startsWith(known.toLowerCase())) throw notQvd(what);
  if (text.startsWith('<!')) throw unsupported('A document type or comment is not part of a QVD header.');
  if (ROOT.startsWith(text.slice(0, ROOT.length))) return; // also a header cut off before its root
  throw notQvd(
    text.startsWith('<') ? 'its root element is not QvdTableHeader' : 'it does not start with a header',
  );
}

/** The text after byte order mark, white space and XML declaration; empty when the declaration does not end. */
function withoutProlog(text: string): string {
  const start = text.replace(/^\xef\xbb\xbf/, '').trimStart();
  if (start === '') return text;
  if (!start.startsWith('<?xml')) return start;
  const end = start.indexOf('?>');
  return end < 0 ? '' : start.slice(end + 2).trimStart();
}

function unsupported(message: string): QvdFormatError {
  return new QvdFormatError('HEADER_UNSUPPORTED', message, { offset: 0 });
}

function notQvd(what: string): QvdFormatError {
  return new QvdFormatError('NOT_QVD', `Not a QVD file: ${what}.`, { offset: 0 });
}
