import type { NewPasskey, PasskeyCreation, PasskeyProof, PasskeyRequest } from '@kaptain/contract/passkeys';
import { browserSupportsWebAuthn, startAuthentication, startRegistration } from '@simplewebauthn/browser';

export const NO_PASSKEYS =
  'Passkeys need a browser that knows them, HTTPS, and a host name instead of an IP address.';

const isAddress = (host: string): boolean => /^[\d.]+$|^\[/.test(host);

/** Whether this page can make and use passkeys. */
export const canUsePasskeys = (): boolean => browserSupportsWebAuthn() && !isAddress(location.hostname);

/** By the name of the browser's error. */
const problems: Record<string, string> = {
  NotAllowedError: 'No passkey was used: the dialog of the browser was cancelled, or it took too long.',
  InvalidStateError: 'This device has a passkey for your account already.',
  SecurityError: NO_PASSKEYS,
};

/** Says why the browser has refused, in words of the console. */
async function explained<T>(work: () => Promise<T>): Promise<T> {
  if (!canUsePasskeys()) throw new Error(NO_PASSKEYS);
  try {
    return await work();
  } catch (error) {
    const { name, cause } = error as { name?: string; cause?: { name?: string } };
    const problem = problems[cause?.name ?? ''] ?? problems[name ?? ''];
    throw new Error(problem ?? 'The browser could not use a passkey.', { cause: error });
  }
}

/** Has the browser make a passkey; it shows the name of the service. */
export const createPasskey = (options: PasskeyCreation, service: string): Promise<NewPasskey> =>
  explained(async () => {
    const optionsJSON = { ...options, rp: { ...options.rp, name: service } };
    const { id, rawId, type, response } = await startRegistration({
      optionsJSON: optionsJSON as Parameters<typeof startRegistration>[0]['optionsJSON'],
    });
    const { clientDataJSON, attestationObject, transports = [] } = response;
    return { id, rawId, type, response: { clientDataJSON, attestationObject, transports } };
  });

/** Has the browser sign with a passkey. */
export const signWithPasskey = (options: PasskeyRequest): Promise<PasskeyProof> =>
  explained(async () => {
    const { id, rawId, type, response } = await startAuthentication({
      optionsJSON: options as Parameters<typeof startAuthentication>[0]['optionsJSON'],
    });
    const { clientDataJSON, authenticatorData, signature } = response;
    return { id, rawId, type, response: { clientDataJSON, authenticatorData, signature } };
  });
