import type { NewPasskey, PasskeyCreation, PasskeyProof, PasskeyRequest } from '@kaptain/contract';
import type { PasskeyRecord, UserRecord } from '@kaptain/store';
import { PASSKEY_MS } from '../sessions/challenges.ts';
import type { RelyingParty } from './relying-party.ts';

/** EdDSA, ECDSA on P-256 and RSA, which all authenticators know one of. */
const ALGORITHMS = [-8, -7, -257];

/** Limits of the standard for a credential id, and of an RSA key with 8,192 bits. */
const maxBytes = { credentialId: 1023, publicKey: 1100 } as const;

/** Loaded at the first use: it takes a quarter of a second, which would delay every start. */
const library = () => import('@simplewebauthn/server');
const helpers = () => import('@simplewebauthn/server/helpers');

const descriptorsOf = (passkeys: readonly PasskeyRecord[]) =>
  passkeys.map(({ credentialId, transports }) => ({
    id: credentialId,
    type: 'public-key' as const,
    transports,
  }));

/** The password is the other factor, so authenticators without a PIN or a fingerprint sensor are accepted too. */
const userVerification = 'preferred';

export const creationOptions = (
  { id, username }: UserRecord,
  known: readonly PasskeyRecord[],
  { host }: RelyingParty,
  challenge: string,
): PasskeyCreation => ({
  challenge,
  rp: { id: host, name: 'Kaptain' },
  user: { id: Buffer.from(id).toString('base64url'), name: username, displayName: username },
  pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
  timeout: PASSKEY_MS,
  attestation: 'none',
  excludeCredentials: descriptorsOf(known),
  // Discoverable ones are synchronised between the devices of their owner.
  authenticatorSelection: { residentKey: 'preferred', userVerification },
});

export const requestOptions = (
  usable: readonly PasskeyRecord[],
  { host }: RelyingParty,
  challenge: string,
): PasskeyRequest => ({
  challenge,
  rpId: host,
  timeout: PASSKEY_MS,
  userVerification,
  allowCredentials: descriptorsOf(usable),
});

/** The challenge that the browser has signed; undefined when its data can't be read. */
export function challengeIn({ response }: NewPasskey | PasskeyProof): string | undefined {
  try {
    const data: unknown = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString());
    const { challenge } = data as { challenge?: unknown };
    return typeof challenge === 'string' ? challenge : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Leaves out what the maker of the authenticator says about it, which is not asked for. Its verification would fetch the
 * revocation list from an address that the caller chooses.
 */
async function withoutAttestation(attestationObject: string): Promise<string> {
  const { isoBase64URL, isoCBOR, decodeAttestationObject } = await helpers();
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get('authData');
  const bare = new Map<string, unknown>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', authData],
  ]);
  return isoBase64URL.fromBuffer(isoCBOR.encode(bare as never));
}

/** The key of a new passkey; undefined when the answer of the browser is not valid for this challenge and party. */
export async function verifyNewPasskey(
  given: NewPasskey,
  challenge: string,
  { host, origins }: RelyingParty,
) {
  try {
    const { verifyRegistrationResponse } = await library();
    const attestationObject = await withoutAttestation(given.response.attestationObject);
    const { clientDataJSON, transports = [] } = given.response;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...given, response: { clientDataJSON, attestationObject }, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origins,
      expectedRPID: host,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!verified) return undefined;
    const { id, publicKey, counter } = registrationInfo.credential;
    if (Buffer.byteLength(id, 'base64url') > maxBytes.credentialId || publicKey.length > maxBytes.publicKey)
      return undefined;
    const key = Buffer.from(publicKey).toString('base64url');
    return { credentialId: id, publicKey: key, counter, transports, host };
  } catch {
    // The library throws for every value that it does not accept.
    return undefined;
  }
}

/** The counter of the authenticator after this signature; undefined when the signature is not valid. */
export async function verifyPasskey(
  given: PasskeyProof,
  { credentialId, publicKey }: PasskeyRecord,
  challenge: string,
  { host, origins }: RelyingParty,
): Promise<number | undefined> {
  try {
    const { verifyAuthenticationResponse } = await library();
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...given, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origins,
      expectedRPID: host,
      requireUserVerification: false,
      // The caller compares the counter, so that the audit trail tells a copied key from a wrong signature.
      credential: {
        id: credentialId,
        publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')),
        counter: 0,
      },
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch {
    return undefined;
  }
}
