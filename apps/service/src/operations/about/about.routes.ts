import type { api } from '@kaptain/contract';
import type { Store } from '@kaptain/store';
import type { Handlers } from '../../http/server/handlers.ts';

export const aboutRoutes = (store: Store, version: string): Handlers<typeof api.about> => ({
  version: () => version,
  alive: () => ({ status: 'alive' }),
  ready: async () => {
    await store.ping();
    return { status: 'ready' };
  },
});
