import type { api } from '@kaptain/contract';
import type { Store } from '@kaptain/store';
import type { Handlers } from '../../http/call.ts';
import type { Logs } from '../../logging/logs.ts';
import { runChecks } from './check.ts';
import { databaseCheck, diskCheck, failedJobCheck } from './own-checks.ts';

interface Deps {
  version: string;
  store: Store;
  dataDir: string;
  clock: () => number;
  logs: Logs;
}

export function statusRoutes({ version, store, dataDir, clock, logs }: Deps): Handlers<typeof api.status> {
  const since = new Date(clock()).toISOString();
  const checks = [databaseCheck(store), diskCheck(dataDir), failedJobCheck(store)];
  return {
    get: async ({ query }) => ({
      version,
      since,
      checks: await runChecks(query.checks === 'all' ? checks : [], logs.system),
    }),
  };
}
