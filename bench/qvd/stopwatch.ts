/**
 * Milliseconds since the start: the smaller of wall time and CPU time. On an idle machine wall time is smaller; on a busy
 * one it includes waiting, and the CPU time of all threads is more accurate.
 */
export function stopwatch(): () => number {
  const clock = performance.now();
  const processor = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(processor);
    return Math.min(performance.now() - clock, (user + system) / 1000);
  };
}
