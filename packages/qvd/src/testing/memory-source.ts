import type { ByteSource } from '../sources/byte-source.ts';

/** A ByteSource over bytes in memory. */
export function memorySource(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    async read(position, target) {
      const part = bytes.subarray(position, position + target.length);
      target.set(part);
      return part.length;
    },
    stamp: async () => '',
    close: async () => {},
  };
}
