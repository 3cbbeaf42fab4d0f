/** The part of DER (ITU-T X.690) that certificates need; Node can read certificates but not create them. */
const lengthBytes = (length: number): Buffer => {
  if (length < 0x80) return Buffer.from([length]);
  const hex = length.toString(16);
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes]);
};

export function element(tag: number, ...contents: Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag]), lengthBytes(content.length), content]);
}

export const sequence = (...contents: Uint8Array[]) => element(0x30, ...contents);
export const set = (...contents: Uint8Array[]) => element(0x31, ...contents);
export const octets = (content: Uint8Array) => element(0x04, content);
export const bits = (content: Uint8Array) => element(0x03, Buffer.from([0]), content);
export const utf8 = (text: string) => element(0x0c, Buffer.from(text));
export const isTrue = element(0x01, Buffer.from([0xff]));
/** Explicitly tagged content of a structure. */
export const tagged = (number: number, ...contents: Uint8Array[]) => element(0xa0 | number, ...contents);

/** A positive integer: a zero byte is prepended when the first bit would be read as a sign. */
export const integer = (bytes: Uint8Array) =>
  element(0x02, (bytes[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes);

export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = rest.flatMap((value) => {
    const groups = [value & 0x7f];
    for (let left = value >>> 7; left > 0; left >>>= 7) groups.unshift((left & 0x7f) | 0x80);
    return groups;
  });
  return element(0x06, Buffer.from([first * 40 + second, ...bytes]));
}

/** GeneralizedTime, to the second. */
export const time = (date: Date) =>
  element(
    0x18,
    Buffer.from(
      `${date
        .toISOString()
        .replace(/\.\d+Z$/, '')
        .replace(/\D/g, '')}Z`,
    ),
  );
