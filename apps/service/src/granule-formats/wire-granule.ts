/** A line of the store's stream, parsed. */
export interface WireGranule {
  _id: string;
  user: string;
  key: string;
  data: Record<string, unknown>;
  reloaded: boolean;
  createdAt: string;
  updatedAt: string;
  version: number;
}

/** Chunks of complete lines in UTF-8, each line a granule in JSON. */
export type Lines = AsyncIterable<Uint8Array>;

const utf8 = new TextDecoder();

export const parseLines = (chunk: Uint8Array): WireGranule[] =>
  utf8
    .decode(chunk)
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line) as WireGranule);
