/** The data that a thread starts with. */
export interface ThreadData {
  file: string;
  /** Names the store that it belongs to; only a writer needs it. */
  owner?: string;
  /** See WaitingWrites; only a writer needs it. */
  waiting?: Int32Array<SharedArrayBuffer>;
  /** For work that must not slow down others. */
  isBackground?: boolean;
}
