/** Chunks of whole lines in UTF-8, each line a granule in JSON. */
export type Lines = AsyncIterable<Uint8Array>;
