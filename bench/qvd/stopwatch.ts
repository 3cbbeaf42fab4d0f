/**
 * Milliseconds since the start: the smaller of clock and processor time. On a quiet machine that is the clock; on a busy
 * one the clock also counts the waiting, and the processor time of all threads is the better answer.
 */
export function stopwatch(): () => number {
  const clock = performance.now();
  const processor = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(processor);
    return Math.min(performance.now() - clock, (user + system) / 1000);
  };
}
