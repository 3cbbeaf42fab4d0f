import type { StatusCheck } from '@kaptain/contract/status';

/** One sentence about all checks: errors first, then warnings; `nameOf` has the words of the variant. */
export function verdictOf(
  checks: readonly StatusCheck[],
  isReachable: boolean,
  nameOf: (name: string) => string,
): { type: 'success' | 'warning' | 'error'; title: string } {
  if (!isReachable)
    return { type: 'error', title: 'The service does not answer any more. What follows is how it was.' };
  const names = (some: readonly StatusCheck[]) => some.map(({ name }) => nameOf(name)).join(', ');
  const errors = checks.filter(({ state }) => state === 'error');
  if (errors.length > 0) return { type: 'error', title: `Needs help now: ${names(errors)}` };
  const warnings = checks.filter(({ state }) => state === 'warning');
  if (warnings.length > 0) return { type: 'warning', title: `Worth a look: ${names(warnings)}` };
  return { type: 'success', title: 'Everything is fine.' };
}
