/** Says whether the bytes are strict UTF-8: no overlong forms, no surrogates, no code point beyond U+10FFFF. */
export function isValidUtf8(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  while (at < end) {
    const lead = bytes[at++] as number;
    if (lead < 0x80) continue;
    if (lead < 0xc2 || lead > 0xf4) return false;
    const second = bytes[at++] as number;
    if (at > end || second < lowestSecond(lead) || second > highestSecond(lead)) return false;
    for (let more = lead < 0xe0 ? 0 : lead < 0xf0 ? 1 : 2; more > 0; more--) {
      if (at >= end || ((bytes[at++] as number) & 0xc0) !== 0x80) return false;
    }
  }
  return true;
}

const lowestSecond = (lead: number): number => (lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80);
const highestSecond = (lead: number): number => (lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf);
