import { z } from 'zod';
import { filledText, timestamp } from '../kit/text.ts';

/** Bytes in base64url, with at most this many characters. */
const bytes = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\w-]+$/, 'This is not base64url.');

/** The longest credential id of the standard has 1,023 bytes. */
const credentialId = bytes(1364);
const publicKey = z.literal('public-key');
const transport = z
  .string()
  .max(32)
  .regex(/^[a-z-]+$/, 'This is no transport.');
/** PublicKeyCredentialDescriptorJSON of WebAuthn. */
export const PasskeyCredential = z.object({
  id: credentialId,
  type: publicKey,
  transports: z.array(transport).optional(),
});

export const PasskeyName = filledText('Please input a name!', 64);

/** A passkey in the list of its owner, who alone sees it; without its credential id. */
export const Passkey = z.looseObject({
  _id: z.string(),
  name: z.string(),
  /** The host name under which it works. */
  host: z.string(),
  createdAt: timestamp,
  lastUsedAt: timestamp.nullable(),
});
export type Passkey = z.infer<typeof Passkey>;

/** PublicKeyCredentialCreationOptionsJSON of WebAuthn. */
export const PasskeyCreation = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: publicKey, alg: z.number() })),
  timeout: z.number(),
  attestation: z.literal('none'),
  excludeCredentials: z.array(PasskeyCredential),
  authenticatorSelection: z.object({
    residentKey: z.literal('preferred'),
    userVerification: z.literal('preferred'),
  }),
});
export type PasskeyCreation = z.infer<typeof PasskeyCreation>;

/** PublicKeyCredentialRequestOptionsJSON of WebAuthn. */
export const PasskeyRequest = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.number(),
  userVerification: z.literal('preferred'),
  allowCredentials: z.array(PasskeyCredential),
});
export type PasskeyRequest = z.infer<typeof PasskeyRequest>;

/** RegistrationResponseJSON of WebAuthn, as far as it is used. */
export const NewPasskey = z.object({
  id: credentialId,
  rawId: credentialId,
  type: publicKey,
  response: z.object({
    clientDataJSON: bytes(4096),
    attestationObject: bytes(16_384),
    transports: z.array(transport).max(8).optional(),
  }),
});
export type NewPasskey = z.infer<typeof NewPasskey>;

/** AuthenticationResponseJSON of WebAuthn, as far as it is used. */
export const PasskeyProof = z.object({
  id: credentialId,
  rawId: credentialId,
  type: publicKey,
  response: z.object({
    clientDataJSON: bytes(4096),
    authenticatorData: bytes(4096),
    signature: bytes(8192),
  }),
});
export type PasskeyProof = z.infer<typeof PasskeyProof>;
