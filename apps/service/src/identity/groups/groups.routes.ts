import { Authority, type api, type Group } from '@kaptain/contract';
import { AppError } from '../../base/errors/app-error.ts';
import { AnswerCache } from '../../http/answers/answer-cache.ts';
import type { Handlers } from '../../http/server/handlers.ts';
import { type GroupsDeps, groupsService } from './groups-service.ts';

export function groupsRoutes(deps: GroupsDeps): Handlers<typeof api.groups> {
  const service = groupsService(deps);
  const lists = new AnswerCache<Group[]>(deps.store, deps.clock, 1);
  return {
    list: (_, { caller }) => lists.get('', caller, async () => ({ value: await service.list() })),
    authorities: () => [...Authority.options],
    create: ({ body }, call) => service.create(body, call),
    update({ params, body }, call) {
      if (params.groupId !== body.groupId)
        throw new AppError('BAD_INPUT', 'The groupId in the address and in the body must be the same.');
      return service.update(body, call);
    },
    async remove({ params }, call) {
      await service.remove(params.id, call);
      return { status: 'success' };
    },
    findByUser({ params }, call) {
      const { role, userId } = call.caller;
      if (role !== 'ADMIN' && userId !== params.id) throw new AppError('FORBIDDEN');
      return service.findByUser(params.id, call);
    },
  };
}
