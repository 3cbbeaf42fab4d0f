import { z } from 'zod';
import { json, route } from '../kit/route.ts';
import { idText, requiredText, timestamp } from '../kit/text.ts';
import { Success } from '../vocabulary.ts';
import { Kapsule } from './kapsules.ts';

/** A deleted kapsule that can be restored. */
export const DeletedKapsule = z.looseObject({
  _id: z.string(),
  name: z.string(),
  owner: z.string(),
  database: z.string(),
  tableName: z.string(),
  /** The granules that are restored with it; absent in a data source. */
  granules: z.number().optional(),
  deletedAt: timestamp,
  deletedBy: z.string(),
  /** It can be restored until this time. */
  purgeAt: timestamp,
  /** Whether its table in the data source is dropped at that time. */
  dropsTable: z.boolean(),
});
export type DeletedKapsule = z.infer<typeof DeletedKapsule>;

/** Deleted kapsules: for an ADMIN all, otherwise one's own. */
export const deletedKapsules = {
  list: route({
    method: 'GET',
    path: '/api/kapsule/deleted',
    access: 'loggedIn',
    summary:
      'The 200 last deleted kapsules that can be restored, newest first: for an ADMIN all, otherwise one’s own.',
    extra: true,
    answer: json(z.array(DeletedKapsule)),
  }),
  restore: route({
    method: 'POST',
    path: '/api/kapsule/deleted/:id/restore',
    access: 'loggedIn',
    proof: 'ifAsked',
    summary:
      'Restore a deleted kapsule with its granules, its schedule and the groups that still exist, for an ADMIN or its owner. ' +
      'When its name is taken it needs another one.',
    extra: true,
    params: z.object({ id: idText }),
    body: z.object({ name: requiredText('It needs a name.').optional() }),
    answer: json(Kapsule),
    errors: ['FORBIDDEN', 'CONFLICT', 'UNAVAILABLE'],
  }),
  purge: route({
    method: 'DELETE',
    path: '/api/kapsule/deleted/:id',
    access: 'loggedIn',
    proof: 'ifAsked',
    summary:
      'Delete a deleted kapsule for good, for an ADMIN or its owner; drops its table if that was asked for.',
    extra: true,
    params: z.object({ id: idText }),
    answer: json(Success),
    errors: ['FORBIDDEN', 'CONFLICT', 'UNAVAILABLE'],
  }),
};
