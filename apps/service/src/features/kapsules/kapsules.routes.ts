import type { api } from '@kaptain/contract';
import { type Handlers, notYetServed } from '../../http/call.ts';
import type { KapsulesService } from './kapsules.service.ts';

export const kapsulesRoutes = (service: KapsulesService): Handlers<typeof api.kapsules> => ({
  list: (_, { caller }) => service.list(caller),
  get: ({ params }, { caller }) => service.get(params.id, caller),
  remove: notYetServed,
  importMany: notYetServed,
  importOne: notYetServed,
  export: notYetServed,
});
