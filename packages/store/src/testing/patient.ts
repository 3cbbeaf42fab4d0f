/** For tests that are not about silence: a machine that is busy with others may pause for seconds. */
export const patient = <Options>(options: Options): Options & { silenceMs: number } => ({
  ...options,
  silenceMs: 30_000,
});
