/** What a thread is told before its first command. */
export interface ThreadData {
  file: string;
  /** Names the store that it belongs to; only a writer needs it. */
  owner?: string;
  /** For work that must not slow down others. */
  isBackground?: boolean;
}
