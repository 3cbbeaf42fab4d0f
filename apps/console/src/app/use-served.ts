import { useQueries } from '@tanstack/react-query';
import type { Screen } from './screens.ts';

/**
 * Screens beyond SPEC's route table appear only when the service has their calls.
 * They are shown until the service has answered, so that nothing in the menu of our own service moves.
 */
export function useServed(screens: readonly Screen[], isAllowed: (screen: Screen) => boolean): Screen[] {
  const asked = screens.filter((screen) => screen.isServed && isAllowed(screen));
  const answers = useQueries({
    queries: asked.map(({ path, isServed }) => ({
      queryKey: ['served', path],
      queryFn: async ({ signal }: { signal: AbortSignal }) => (await isServed?.(signal)) ?? true,
      staleTime: Number.POSITIVE_INFINITY,
    })),
  });
  const missing = asked.filter((_, index) => answers[index]?.data === false);
  return screens.filter((screen) => !missing.includes(screen));
}
