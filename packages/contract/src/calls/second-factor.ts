import { z } from 'zod';
import { json, route } from '../kit/route.ts';
import { idText, timestamp } from '../kit/text.ts';
import { Success } from '../vocabulary.ts';
import {
  NewPasskey,
  Passkey,
  PasskeyCreation,
  PasskeyName,
  PasskeyProof,
  PasskeyRequest,
} from './passkeys.ts';
import { GivenPassword, SecondFactorCode } from './session.ts';

export const SecondFactorState = z.looseObject({
  /** Since when an authenticator app is set up; null without one. */
  totpSince: timestamp.nullable(),
  passkeys: z.array(Passkey),
  /** How many recovery codes are left. */
  recoveryCodes: z.number(),
  /** Whether the settings require a second factor of this user. */
  isRequired: z.boolean(),
});
export type SecondFactorState = z.infer<typeof SecondFactorState>;

const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });
const passkeyId = z.object({ id: idText });

/** The second factor of one’s own account, and the proof of identity before sensitive actions. */
export const secondFactor = {
  get: route({
    method: 'GET',
    path: '/api/account/second-factor',
    access: 'loggedIn',
    summary: 'One’s own second factor, without its secrets.',
    extra: true,
    beforeSecondFactor: true,
    answer: json(SecondFactorState),
  }),
  startTotp: route({
    method: 'POST',
    path: '/api/account/second-factor/totp',
    access: 'loggedIn',
    summary:
      'A new secret for an authenticator app (base32; SHA-1, 6 digits, 30 seconds). It counts once a code confirms it.',
    extra: true,
    proof: 'always',
    beforeSecondFactor: true,
    answer: json(z.object({ setup: z.string(), secret: z.string() })),
  }),
  confirmTotp: route({
    method: 'POST',
    path: '/api/account/second-factor/totp/confirm',
    access: 'loggedIn',
    summary: 'Take the new secret into use with a code of it. The ten recovery codes are answered only here.',
    extra: true,
    proof: 'always',
    beforeSecondFactor: true,
    body: z.object({ setup: idText, code: SecondFactorCode }),
    answer: json(RecoveryCodes),
    errors: ['PROOF_REFUSED', 'TOO_MANY_REQUESTS'],
  }),
  removeTotp: route({
    method: 'DELETE',
    path: '/api/account/second-factor/totp',
    access: 'loggedIn',
    summary: 'Remove the authenticator app; without another factor the recovery codes go too.',
    extra: true,
    proof: 'always',
    answer: json(Success),
    errors: ['CONFLICT'],
  }),
  startPasskey: route({
    method: 'POST',
    path: '/api/account/second-factor/passkeys',
    access: 'loggedIn',
    summary:
      'What the browser needs to make a passkey for the host name of this request. Works once, within five minutes.',
    extra: true,
    proof: 'always',
    beforeSecondFactor: true,
    answer: json(PasskeyCreation),
    errors: ['CONFLICT'],
  }),
  confirmPasskey: route({
    method: 'POST',
    path: '/api/account/second-factor/passkeys/confirm',
    access: 'loggedIn',
    summary:
      'Take a new passkey into use. The ten recovery codes are answered only here, and only with the first second factor.',
    extra: true,
    proof: 'always',
    beforeSecondFactor: true,
    body: z.object({ name: PasskeyName, passkey: NewPasskey }),
    answer: json(RecoveryCodes),
    errors: ['CONFLICT', 'PROOF_REFUSED'],
  }),
  renamePasskey: route({
    method: 'PUT',
    path: '/api/account/second-factor/passkeys/:id',
    access: 'loggedIn',
    summary: 'Give one of one’s own passkeys another name.',
    extra: true,
    params: passkeyId,
    body: z.object({ name: PasskeyName }),
    answer: json(Success),
  }),
  removePasskey: route({
    method: 'DELETE',
    path: '/api/account/second-factor/passkeys/:id',
    access: 'loggedIn',
    summary: 'Remove one of one’s own passkeys; without another factor the recovery codes go too.',
    extra: true,
    proof: 'always',
    params: passkeyId,
    answer: json(Success),
    errors: ['CONFLICT'],
  }),
  createRecoveryCodes: route({
    method: 'POST',
    path: '/api/account/second-factor/recovery-codes',
    access: 'loggedIn',
    summary: 'Ten new recovery codes; the old ones are invalid.',
    extra: true,
    proof: 'always',
    answer: json(RecoveryCodes),
    errors: ['CONFLICT'],
  }),
  prove: route({
    method: 'POST',
    path: '/api/account/proof',
    access: 'loggedIn',
    summary:
      'Show again who one is, with the second factor, or without one with the password; counts for 15 minutes.',
    extra: true,
    beforeSecondFactor: true,
    body: z.object({
      password: GivenPassword.optional(),
      code: SecondFactorCode.optional(),
      passkey: PasskeyProof.optional(),
    }),
    answer: json(Success),
    errors: ['PROOF_REFUSED', 'TOO_MANY_REQUESTS'],
  }),
  startPasskeyProof: route({
    method: 'POST',
    path: '/api/account/proof/passkey',
    access: 'loggedIn',
    summary: 'What the browser needs to show with a passkey who one is. Works once, within five minutes.',
    extra: true,
    answer: json(PasskeyRequest),
    errors: ['CONFLICT'],
  }),
};
