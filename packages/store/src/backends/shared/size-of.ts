import type { StoredSize } from '../../store.ts';

/** The size of documents, for databases that do not measure it themselves. */
export const sizeOf = (docs: readonly string[]): StoredSize => ({
  count: docs.length,
  bytes: docs.reduce((sum, doc) => sum + Buffer.byteLength(doc), 0),
});
