import { type ByteSource, fileChanged } from './byte-source.ts';

/** A Blob or File, as the browser gives it; each read takes only the slice it needs. */
export function blobSource(blob: Blob): ByteSource {
  return {
    size: blob.size,
    async read(position, target) {
      const slice = blob.slice(position, position + target.length);
      const bytes = await slice.arrayBuffer().catch(() => {
        // A File whose file on disk was altered can no longer be read.
        throw fileChanged(position);
      });
      target.set(new Uint8Array(bytes));
      return bytes.byteLength;
    },
    stamp: async () => String(blob.size),
    close: async () => {},
  };
}
