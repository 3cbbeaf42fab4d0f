/** One state in the history of a granule. */
export const madeState = (granuleId: string, version: number): string => `${granuleId} ${version}`;
