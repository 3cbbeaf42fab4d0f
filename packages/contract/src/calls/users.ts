import { z } from 'zod';
import { missingAs } from '../kit/forgiving.ts';
import { json, route } from '../kit/route.ts';
import { idText, plainText, requiredText } from '../kit/text.ts';
import { limits } from '../rules/limits.ts';
import { messages } from '../rules/messages.ts';
import { Role, Success } from '../vocabulary.ts';
import { UserSession } from './account.ts';
import { NewPassword } from './session.ts';

export const User = z.looseObject({
  userId: z.string(),
  username: z.string(),
  role: Role,
  groups: missingAs(z.array(z.looseObject({ _id: z.string(), groupname: z.string() })), []),
  qlikId: z.string().nullish(),
  isCreate: missingAs(z.boolean(), false),
  isLocked: missingAs(z.boolean(), false),
  lockTime: z.string().nullish(),
  lastLoginAttempt: z.string().nullish(),
});
export type User = z.infer<typeof User>;

/** Spec 3: groups are sent as id and groupname; other fields are dropped. */
const chosenGroups = z
  .array(z.object({ id: idText, groupname: plainText(limits.nameCharacters).optional() }))
  .max(1000);

const shared = {
  role: Role,
  qlikId: requiredText('Platform User ID is required!'),
  isCreate: z.boolean({ error: 'Can Create is required!' }),
};

const withUserId = Success.extend({ userId: z.string().optional() });
const userParams = z.object({ id: idText });

export const users = {
  list: route({
    method: 'GET',
    path: '/api/user/list',
    access: 'admin',
    summary: 'All users with their groups.',
    answer: json(z.object({ data: z.array(User) })),
  }),
  create: route({
    method: 'POST',
    path: '/api/user/create',
    access: 'admin',
    proof: 'ifAsked',
    summary: 'Create a user.',
    body: z.object({
      username: requiredText(messages.userNameRequired),
      password: NewPassword,
      groups: chosenGroups.default([]),
      ...shared,
    }),
    answer: json(withUserId),
    errors: ['CONFLICT', 'LIMIT_REACHED', 'PROTECTED', 'TOO_MANY_REQUESTS'],
  }),
  update: route({
    method: 'PUT',
    path: '/api/user/update',
    access: 'admin',
    proof: 'ifAsked',
    summary: 'Change a user; without a password or groups the old ones stay.',
    body: z.object({
      userId: idText,
      password: NewPassword.optional(),
      groups: chosenGroups.optional(),
      ...shared,
    }),
    answer: json(withUserId),
    errors: ['NOT_FOUND', 'CONFLICT', 'LIMIT_REACHED', 'PROTECTED', 'TOO_MANY_REQUESTS'],
  }),
  unlock: route({
    method: 'PUT',
    path: '/api/user/unlock/:id',
    access: 'firstAdmin',
    proof: 'ifAsked',
    summary: 'End the lock of a user.',
    params: userParams,
    answer: json(Success),
  }),
  remove: route({
    method: 'DELETE',
    path: '/api/user/:id',
    access: 'admin',
    proof: 'ifAsked',
    summary: 'Delete a user with their sessions and API keys; `newOwner` gets their kapsules.',
    params: userParams,
    /** Extra: without it the kapsules of the user stay without an owner. */
    query: z.object({ newOwner: idText.optional() }),
    answer: json(Success),
    errors: ['CONFLICT', 'PROTECTED'],
  }),
  sessions: route({
    method: 'GET',
    path: '/api/user/:id/sessions',
    access: 'admin',
    summary: 'The live sessions of a user, newest first.',
    extra: true,
    params: userParams,
    answer: json(z.array(UserSession)),
  }),
  endSessions: route({
    method: 'DELETE',
    path: '/api/user/:id/sessions',
    access: 'admin',
    summary: 'Sign a user out everywhere; on oneself, everywhere else.',
    extra: true,
    proof: 'ifAsked',
    params: userParams,
    answer: json(z.object({ ended: z.number() })),
  }),
  endSession: route({
    method: 'DELETE',
    path: '/api/user/:id/sessions/:sessionId',
    access: 'admin',
    summary: 'End one session of a user.',
    extra: true,
    proof: 'ifAsked',
    params: userParams.extend({ sessionId: idText }),
    answer: json(Success),
  }),
};
