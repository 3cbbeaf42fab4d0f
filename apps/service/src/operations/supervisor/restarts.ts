/** The supervisor as the settings feature uses it. */
export interface Restarts {
  /** Starts a new worker; this one retires when the new one is ready. */
  request(): void;
  /** When a restart was last requested. */
  lastAt(): number;
  /** Why the last restart failed and this worker stayed. */
  lastFailure(): { at: string; reason: string } | undefined;
}
