const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const ENTITY = /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9A-Fa-f]{1,6}));/g;

interface HeaderText {
  readonly text: string;
  /** The writer did not escape `<` or `&`. */
  readonly unescaped: boolean;
  readonly invalidUtf8: boolean;
}

/** Decodes UTF-8, then the entities once from left to right; any other `&` or `<` is text. */
export function decodeHeaderText(bytes: Uint8Array): HeaderText {
  const raw = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const invalidUtf8 = raw.includes('\ufffd') && !isUtf8(bytes);
  if (!raw.includes('&')) return { text: raw, unescaped: raw.includes('<'), invalidUtf8 };
  let known = 0;
  const text = raw.replace(ENTITY, (all: string, name?: string, decimal?: string, hex?: string) => {
    known++;
    if (name) return NAMED[name] ?? all;
    const point = decimal ? Number.parseInt(decimal, 10) : Number.parseInt(hex ?? '', 16);
    const isCharacter = point > 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
    return isCharacter ? String.fromCodePoint(point) : all;
  });
  return { text, unescaped: raw.includes('<') || raw.split('&').length - 1 > known, invalidUtf8 };
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** A name that is safe to show: without control and direction characters, and of bounded length. */
export function displayName(name: string): string {
  const clean = name.replaceAll(/[\p{Cc}\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/gu, '');
  return clean.length > 200 ? `${clean.slice(0, 199)}…` : clean;
}
