import { MalformedError } from './malformed.ts';

const PARAMETER = /;[ \t]*(?:([\w!#$%&'+.^`|~-]+)(\*?)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))[ \t]*)?/y;
const ESCAPED = /\\(["\\])/g;
const UTF8_VALUE = /^utf-8'[^']*'(.*)$/i;

/**
 * Decodes an extended parameter (RFC 5987), e.g. `filename*=utf-8''%C3%BC`, which .NET clients send beside a plain
 * one.
 */
function decoded(value: string): string {
  try {
    return decodeURIComponent(UTF8_VALUE.exec(value)?.[1] ?? '%');
  } catch {
    throw new MalformedError('An extended parameter is not UTF-8.');
  }
}

/**
 * The parameters of a header such as `form-data; name="files"; filename="a.kap"`, names in lower case. An extended
 * parameter replaces the plain one; a repeated one is refused, because a proxy could use the other value.
 */
export function parametersOf(header: string, areExtendedAllowed = true): Map<string, string> {
  const [plain, extended] = [new Map<string, string>(), new Map<string, string>()];
  const start = header.indexOf(';');
  let at = start < 0 ? header.length : start;
  while (at < header.length) {
    PARAMETER.lastIndex = at;
    const found = PARAMETER.exec(header);
    if (!found) throw new MalformedError('A parameter is not valid.');
    at = PARAMETER.lastIndex;
    const [, name, star, quoted, bare = ''] = found;
    if (name === undefined) continue;
    if (star && !areExtendedAllowed) throw new MalformedError('An extended parameter is not allowed here.');
    const target = star ? extended : plain;
    const value = quoted === undefined ? bare : quoted.replaceAll(ESCAPED, '$1');
    if (target.has(name.toLowerCase())) throw new MalformedError('A parameter is given twice.');
    target.set(name.toLowerCase(), star ? decoded(value) : value);
  }
  return new Map([...plain, ...extended]);
}
