/** What the settings page asks of whoever runs the service. */
export interface Restarts {
  /** Starts a new worker beside this one; this one goes when the new one is ready. */
  request(): void;
  /** When the service was last restarted, or asked to. */
  lastAt(): number;
  /** Why the last restart left this worker in place. */
  lastFailure(): { at: string; reason: string } | undefined;
}
