import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { NewPasskey, PasskeyCreation, PasskeyProof, PasskeyRequest } from '@kaptain/contract';
import { isoCBOR } from '@simplewebauthn/server/helpers';

const ORIGIN = 'http://localhost';
const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
const sha256 = (data: Uint8Array | string) => createHash('sha256').update(data).digest();
const counterBytes = (counter: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(counter);
  return bytes;
};

/** Deviations of a test from an honest browser and authenticator. */
export interface Forged {
  origin?: string;
  challenge?: string;
  host?: string;
  counter?: number;
  attestation?: [format: string, statement: Map<string, unknown>];
}

/** An authenticator and its browser in software, which sign whatever a test wants. */
export class Authenticator {
  readonly credentialId = randomBytes(32);
  readonly #privateKey: KeyObject;
  readonly #coseKey: Uint8Array;
  #counter = 0;

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    this.#privateKey = privateKey;
    // COSE: an EC2 key for ES256 on P-256.
    this.#coseKey = isoCBOR.encode(
      new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
      ]),
    );
  }

  /** For the virtual authenticator of a browser. */
  get pkcs8(): Buffer {
    return this.#privateKey.export({ format: 'der', type: 'pkcs8' });
  }

  create({ challenge, rp }: PasskeyCreation, forged: Forged = {}): NewPasskey {
    const { attestation: [fmt, attStmt] = ['none', new Map()] } = forged;
    const size = Buffer.from([0, this.credentialId.length]);
    // User present, and a credential follows.
    const authData = Buffer.concat([
      this.#authenticatorData(rp.id, 0x41, forged),
      Buffer.alloc(16),
      size,
      this.credentialId,
      this.#coseKey,
    ]);
    const parts = new Map<string, unknown>([
      ['fmt', fmt],
      ['attStmt', attStmt],
      ['authData', new Uint8Array(authData)],
    ]);
    return {
      ...this.#credential(),
      response: {
        clientDataJSON: base64url(this.#clientData('webauthn.create', challenge, forged)),
        attestationObject: base64url(isoCBOR.encode(parts as never)),
        transports: ['internal'],
      },
    };
  }

  prove({ challenge, rpId }: PasskeyRequest, forged: Forged = {}): PasskeyProof {
    const clientData = this.#clientData('webauthn.get', challenge, forged);
    const authenticatorData = this.#authenticatorData(rpId, 0x01, forged);
    const signed = Buffer.concat([authenticatorData, sha256(clientData)]);
    return {
      ...this.#credential(),
      response: {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(authenticatorData),
        signature: base64url(sign('sha256', signed, this.#privateKey)),
      },
    };
  }

  #credential() {
    const id = base64url(this.credentialId);
    return { id, rawId: id, type: 'public-key' as const };
  }

  #clientData(type: string, challenge: string, forged: Forged): Buffer {
    const data = { type, challenge: forged.challenge ?? challenge, origin: forged.origin ?? ORIGIN };
    return Buffer.from(JSON.stringify({ ...data, crossOrigin: false }));
  }

  #authenticatorData(host: string, flags: number, forged: Forged): Buffer {
    this.#counter = forged.counter ?? this.#counter + 1;
    return Buffer.concat([sha256(forged.host ?? host), Buffer.from([flags]), counterBytes(this.#counter)]);
  }
}
