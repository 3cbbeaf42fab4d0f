import type { ProviderSettings } from '@kaptain/contract';
import type { Store } from '@kaptain/store';
import type { Call } from '../../base/call/call.ts';
import { seal, unseal } from '../../base/secrets/sealing.ts';
import type { Challenges } from '../sessions/challenges.ts';
import type { UsedProvider } from './provider.ts';
import { createProviderClient } from './provider-client.ts';
import type { ProviderFlows } from './provider-flows.ts';

interface Deps {
  store: Store;
  challenges: Challenges;
  providerFlows: ProviderFlows;
  key: () => Buffer;
  clock: () => number;
}

const CONTEXT = 'tested provider';

/** Sign-ins that try unsaved settings; these wait sealed in the store until the browser comes back. */
export function createProviderTests({ store, challenges, providerFlows, key, clock }: Deps) {
  const usedWith = (settings: ProviderSettings): UsedProvider => ({
    settings,
    client: createProviderClient(settings, clock),
  });
  return {
    async begin(settings: ProviderSettings, { caller, origin }: Call<'admin'>): Promise<{ url: string }> {
      const data = seal(key(), CONTEXT, JSON.stringify(settings));
      const secret = await store.transaction((nouns) =>
        challenges.create(nouns, 'providerTest', caller.userId, data),
      );
      const { url } = await providerFlows.begin(usedWith(settings), origin, { to: 'test', secret });
      return { url };
    },
    async find(secret: string): Promise<UsedProvider | undefined> {
      const begun = await challenges.find(store, 'providerTest', secret);
      const text = begun && unseal(key(), CONTEXT, begun.data);
      return text === undefined ? undefined : usedWith(JSON.parse(text) as ProviderSettings);
    },
  };
}
export type ProviderTests = ReturnType<typeof createProviderTests>;
