import type { StatusCheck } from '@kaptain/contract';
import type { Log } from '../../base/logging/logs.ts';
import { CHECK_LIMIT_MS } from '../tuning.ts';

export type Finding = Omit<StatusCheck, 'name'>;

/** One check of the status screen. */
export interface Check {
  name: string;
  check: () => Promise<Finding>;
}

export const ok = (sentence: string, at?: string | null): Finding => ({ state: 'ok', sentence, at });
export const warning = (sentence: string, at?: string | null): Finding => ({
  state: 'warning',
  sentence,
  at,
});
export const error = (sentence: string): Finding => ({ state: 'error', sentence });

function impatience(): { late: Promise<Finding>; stop: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Finding>((resolve) => {
    timer = setTimeout(
      () => resolve(error(`It did not answer within ${CHECK_LIMIT_MS / 1000} seconds.`)),
      CHECK_LIMIT_MS,
    );
  });
  return { late, stop: () => clearTimeout(timer) };
}

/** Runs all checks; one that throws or times out becomes a finding and does not affect the others. */
export async function runChecks(checks: readonly Check[], log: Log): Promise<StatusCheck[]> {
  return Promise.all(
    checks.map(async ({ name, check }) => {
      const { late, stop } = impatience();
      const failed = (err: unknown) => {
        log.warn({ err, check: name }, 'status check failed');
        return error('It could not be looked at: the system log has the details.');
      };
      const finding = await Promise.race([check().catch(failed), late]);
      stop();
      return { name, ...finding };
    }),
  );
}
