import { type api, type KapsuleView, limits } from '@kaptain/contract';
import { foldName, type Nouns, type Store, UniqueError, type ViewRecord } from '@kaptain/store';
import { AppError } from '../../base/errors/app-error.ts';
import type { Handlers } from '../../http/server/handlers.ts';
import { readable } from '../kapsules/kapsule-access.ts';

const show = ({ id, name, query }: ViewRecord): KapsuleView => ({ _id: id, name, query });

const viewsOf = async (nouns: Pick<Nouns, 'views'>, userId: string, kapsuleId: string) =>
  (await nouns.views.findBy('userId', userId)).filter((view) => view.kapsuleId === kapsuleId);

/** Views are the user's own and change nothing for others, so they are not audited. */
export function viewsRoutes({ store }: { store: Store }): Handlers<typeof api.views> {
  return {
    async list({ params }, { caller }) {
      await readable(store, params.id, caller);
      const views = await viewsOf(store, caller.userId, params.id);
      return views.toSorted((a, b) => (a.nameKey < b.nameKey ? -1 : 1)).map(show);
    },
    save: ({ params: { id }, body: { name, query } }, { caller }) =>
      store.transaction(async (unit) => {
        await readable(unit, id, caller);
        const views = await viewsOf(unit, caller.userId, id);
        const nameKey = `${caller.userId} ${id} ${foldName(name)}`;
        const existing = views.find((view) => view.nameKey === nameKey);
        if (existing) return show(await unit.views.patch(existing.id, { name, query }));
        if (views.length >= limits.viewsPerKapsule)
          throw new AppError(
            'CONFLICT',
            `There are at most ${limits.viewsPerKapsule} views: please delete one.`,
          );
        return show(
          await unit.views
            .insert({ userId: caller.userId, kapsuleId: id, name, nameKey, query })
            .catch(taken),
        );
      }),
    remove: ({ params: { id, viewId } }, { caller }) =>
      store.transaction(async (unit) => {
        await readable(unit, id, caller);
        const view = await unit.views.get(viewId);
        if (view?.userId !== caller.userId || view.kapsuleId !== id)
          throw new AppError('NOT_FOUND', 'There is no such view.');
        await unit.views.remove(viewId);
        return { status: 'success' };
      }),
  };
}

/** Another request of the same user has saved the name at the same time. */
const taken = (error: unknown): never => {
  throw error instanceof UniqueError ? new AppError('CONFLICT', 'A view of this name exists.') : error;
};
