/**
 * For tests that are not about a database that does not answer: the server of a busy machine may answer after seconds, and the store
 * would give up on it.
 */
export const patient = <Options>(options: Options): Options & { silenceMs: number } => ({
  ...options,
  silenceMs: 30_000,
});
