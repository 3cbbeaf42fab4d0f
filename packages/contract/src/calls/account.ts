import { z } from 'zod';
import { json, route } from '../kit/route.ts';
import { idText, timestamp } from '../kit/text.ts';
import { Success } from '../vocabulary.ts';
import { GivenPassword, NewPassword } from './session.ts';

/** A live session of a user: the device and the place of the login. */
export const UserSession = z.looseObject({
  _id: z.string(),
  createdAt: timestamp,
  lastSeenAt: timestamp,
  expiresAt: timestamp,
  ip: z.string(),
  userAgent: z.string(),
  /** True for the session of this request. */
  current: z.boolean(),
});
export type UserSession = z.infer<typeof UserSession>;

/** Calls that every user may make on their own account. */
export const account = {
  changePassword: route({
    method: 'PUT',
    path: '/api/account/password',
    access: 'loggedIn',
    summary:
      'Change one’s own password; all other sessions end. An account with a second factor needs a proof of identity.',
    extra: true,
    body: z.object({ currentPassword: GivenPassword, newPassword: NewPassword }),
    answer: json(Success),
    errors: ['PROOF_NEEDED', 'WRONG_PASSWORD', 'TOO_MANY_REQUESTS'],
  }),
  sessions: route({
    method: 'GET',
    path: '/api/account/sessions',
    access: 'loggedIn',
    summary: 'One’s own live sessions, newest first.',
    extra: true,
    answer: json(z.array(UserSession)),
  }),
  endSession: route({
    method: 'DELETE',
    path: '/api/account/sessions/:id',
    access: 'loggedIn',
    summary: 'End one of one’s own sessions.',
    extra: true,
    params: z.object({ id: idText }),
    answer: json(Success),
  }),
  endOtherSessions: route({
    method: 'DELETE',
    path: '/api/account/sessions',
    access: 'loggedIn',
    summary: 'Sign out everywhere else.',
    extra: true,
    answer: json(z.object({ ended: z.number() })),
  }),
};
