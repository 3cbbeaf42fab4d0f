import { type ByteSource, fileChanged } from './byte-source.ts';

/** Reads a Blob or File of the browser; each read loads only its slice. */
export function blobSource(blob: Blob): ByteSource {
  return {
    size: blob.size,
    async read(position, target) {
      const slice = blob.slice(position, position + target.length);
      const bytes = await slice.arrayBuffer().catch(() => {
        // The browser refuses to read a File whose file on disk has changed.
        throw fileChanged(position);
      });
      target.set(new Uint8Array(bytes));
      return bytes.byteLength;
    },
    stamp: async () => String(blob.size),
    close: async () => {},
  };
}
