import { z } from 'zod';
import { json, route } from '../kit/route.ts';
import { filledText, idText, plainText } from '../kit/text.ts';
import { Success } from '../vocabulary.ts';

/** A named view of the granules of a kapsule; each user has their own. */
export const KapsuleView = z.object({
  _id: z.string(),
  name: z.string(),
  /** Search, filters and order, as the query of the page's URL has them. */
  query: z.string(),
});
export type KapsuleView = z.infer<typeof KapsuleView>;

const params = z.object({ id: idText });

export const views = {
  list: route({
    method: 'GET',
    path: '/api/kapsule/:id/views',
    access: 'loggedIn',
    summary: 'The saved views that the caller has of a kapsule, in the order of their names.',
    extra: true,
    params,
    answer: json(z.array(KapsuleView)),
  }),
  save: route({
    method: 'PUT',
    path: '/api/kapsule/:id/views',
    access: 'loggedIn',
    summary: 'Save a view under a name; a view of the same name is replaced.',
    extra: true,
    params,
    body: z.object({ name: filledText('A view needs a name.', 100), query: plainText(8000) }),
    answer: json(KapsuleView),
    errors: ['CONFLICT'],
  }),
  remove: route({
    method: 'DELETE',
    path: '/api/kapsule/:id/views/:viewId',
    access: 'loggedIn',
    summary: 'Delete a saved view.',
    extra: true,
    params: z.object({ id: idText, viewId: idText }),
    answer: json(Success),
    errors: ['NOT_FOUND'],
  }),
};
