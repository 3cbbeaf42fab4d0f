import { type api, mayRestore } from '@kaptain/contract';
import type { DeletedKapsuleRecord } from '@kaptain/store';
import type { Caller } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import type { Handlers } from '../../http/server/handlers.ts';
import { presentCaller } from '../../identity/sessions/present-caller.ts';
import { noSuchKapsule } from '../kapsules/kapsule-access.ts';
import { purgeKapsule } from '../kapsules/purge-kapsule.ts';
import { type DeletedKapsulesDeps, listDeleted } from './list-deleted.ts';
import { restoreKapsule } from './restore-kapsule.ts';

/** A table that the service did not make is dropped earlier only by an ADMIN, who alone could ask for that. */
function requirePurger({ name, tableDrop }: DeletedKapsuleRecord, { role }: Caller): void {
  if (tableDrop === 'any' && role !== 'ADMIN')
    throw new AppError('FORBIDDEN', `Only an ADMIN may delete ${name} for good now.`);
}

export function deletedKapsulesRoutes(deps: DeletedKapsulesDeps): Handlers<typeof api.deletedKapsules> {
  const restore = restoreKapsule(deps);
  return {
    list: (_, { caller }) => listDeleted(deps, caller),
    restore: ({ params, body }, call) => restore(params.id, body.name, call),
    async purge({ params }, call) {
      const caller = await presentCaller(deps.store, call.caller);
      const kapsule = await deps.store.deletedKapsules.get(params.id);
      if (!kapsule || !mayRestore(caller, kapsule)) throw noSuchKapsule();
      requirePurger(kapsule, caller);
      if (!(await purgeKapsule(deps, params.id, { call, now: deps.clock() }))) throw noSuchKapsule();
      return { status: 'success' };
    },
  };
}
