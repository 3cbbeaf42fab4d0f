import type { api, StructureProposal } from '@kaptain/contract';
import type { Store } from '@kaptain/store';
import { AppError } from '../../base/errors/app-error.ts';
import { ConcurrencyLimit } from '../../http/limits/concurrency-limit.ts';
import type { Handlers } from '../../http/server/handlers.ts';
import { presentCaller } from '../../identity/sessions/present-caller.ts';
import { requireCreator } from '../kapsules/create-kapsule.ts';
import { onThread } from '../qvd-import/qvd-thread.ts';
import { PROPOSALS_OVERALL, PROPOSALS_PER_USER } from '../tuning.ts';

interface QvdFile {
  name: string;
  path: string;
}

async function proposeOnThread({ name, path }: QvdFile, gone: AbortSignal): Promise<StructureProposal> {
  for await (const { message } of onThread({ proposed: { name, path } }, gone))
    if (message.kind === 'proposed') return message.proposal;
  throw new Error('The thread proposed nothing.');
}

/** What kapsules could be made of, for those who may create one. */
export function proposalsRoutes({ store }: { store: Store }): Handlers<typeof api.proposals> {
  const limit = new ConcurrencyLimit(PROPOSALS_PER_USER, PROPOSALS_OVERALL);
  return {
    async fromQvd({ receiveFiles }, call) {
      const { caller } = call;
      requireCreator(caller);
      const [file] = await receiveFiles();
      if (!file) throw new AppError('BAD_INPUT');
      const release = limit.acquire(
        caller.userId,
        'Too many files are being looked at. Please wait for the others to finish.',
      );
      try {
        const proposal = await proposeOnThread(file, call.gone());
        // An upload may take hours.
        requireCreator(await presentCaller(store, caller));
        return proposal;
      } finally {
        release();
      }
    },
  };
}
