import { z } from 'zod';
import { missingAs } from '../kit/forgiving.ts';
import { json, route } from '../kit/route.ts';
import { idText, requiredText } from '../kit/text.ts';
import { messages } from '../rules/messages.ts';
import { Authority, Success } from '../vocabulary.ts';

const GroupKapsule = z.object({ kapsulecode: z.string(), kapsulename: z.string().optional() });
const GroupUser = z.object({ userid: z.string(), username: z.string().optional() });

export const Group = z.looseObject({
  _id: z.string(),
  groupname: z.string(),
  authority: missingAs(z.array(Authority), []),
  kapsules: missingAs(z.array(GroupKapsule), []),
  users: missingAs(z.array(GroupUser), []),
  /** Extra: sent back on update, so that concurrent edits are detected. */
  version: z.number().optional(),
});
export type Group = z.infer<typeof Group>;

export const GroupForm = z.object({
  groupname: requiredText(messages.groupNameRequired),
  authority: z
    .array(Authority, { error: messages.groupPermissionRequired })
    .min(1, messages.groupPermissionRequired),
  // Spec 3 also sends the names; only the ids are used.
  kapsules: z
    .array(z.object({ kapsulecode: idText, kapsulename: z.string().optional() }))
    .max(10_000)
    .default([]),
  users: z
    .array(z.object({ userid: idText, username: z.string().optional() }))
    .max(10_000)
    .default([]),
});

export const groups = {
  list: route({
    method: 'GET',
    path: '/api/group/list',
    access: 'admin',
    summary: 'All groups.',
    answer: json(z.array(Group)),
  }),
  authorities: route({
    method: 'GET',
    path: '/api/group/authorities',
    access: 'admin',
    summary: 'The authorities that a group or an API key may have, by rank: each includes those before it.',
    extra: true,
    answer: json(z.array(Authority)),
  }),
  create: route({
    method: 'POST',
    path: '/api/group/create',
    access: 'admin',
    proof: 'ifAsked',
    summary: 'Create a group.',
    body: GroupForm,
    answer: json(Group),
    errors: ['CONFLICT', 'LIMIT_REACHED'],
  }),
  update: route({
    method: 'PUT',
    path: '/api/group/update/:groupId',
    access: 'admin',
    proof: 'ifAsked',
    summary: 'Change a group; the id in the path and in the body must be the same.',
    params: z.object({ groupId: idText }),
    body: GroupForm.extend({ groupId: idText, version: z.number().int().positive().optional() }),
    answer: json(Group),
    errors: ['CONFLICT', 'LIMIT_REACHED', 'STALE'],
  }),
  remove: route({
    method: 'DELETE',
    path: '/api/group/del/:id',
    access: 'admin',
    proof: 'ifAsked',
    summary: 'Delete a group; its users lose what it granted at once.',
    params: z.object({ id: idText }),
    answer: json(Success),
  }),
  findByUser: route({
    method: 'GET',
    path: '/api/group/findByUser/:id',
    access: 'loggedIn',
    summary: 'The groups of a user: for an ADMIN of anyone, otherwise only of oneself.',
    params: z.object({ id: idText }),
    answer: json(z.array(Group)),
    errors: ['FORBIDDEN'],
  }),
};
