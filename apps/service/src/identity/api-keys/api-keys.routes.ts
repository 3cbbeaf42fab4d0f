import type { api } from '@kaptain/contract';
import type { Handlers } from '../../http/server/handlers.ts';
import { type ApiKeysDeps, apiKeysService } from './api-keys-service.ts';

export function apiKeysRoutes(deps: ApiKeysDeps): Handlers<typeof api.apiKeys> {
  const service = apiKeysService(deps);
  return {
    list: () => service.list(),
    generate: () => ({ apikey: deps.apiKeys.generate() }),
    create: ({ body }, call) => service.create(body, call),
    async remove({ params }, call) {
      await service.remove(params.id, call);
      return { status: 'success' };
    },
  };
}
