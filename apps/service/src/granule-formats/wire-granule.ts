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

/** Chunks of whole lines, each line a granule in JSON. */
export type Lines = AsyncIterable<string>;

export const parseLines = (chunk: string): WireGranule[] =>
  chunk
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line) as WireGranule);
