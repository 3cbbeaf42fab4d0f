/**
 * Passkeys in the sign-in window: JSON has bytes in base64url.
 * @typedef {{ challenge: string, allowCredentials: { id: string, type: 'public-key' }[] }} Options
 */

/** @param {string} text */
const toBytes = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));

/** @param {ArrayBuffer} bytes */
const toText = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** Browsers offer passkeys over HTTPS, and on this computer. */
export const canUsePasskeys = () => 'PublicKeyCredential' in window;

/**
 * Has the browser sign with a passkey of its user.
 * @param {Options} options
 */
export async function signWithPasskey(options) {
  const publicKey = {
    ...options,
    challenge: toBytes(options.challenge),
    allowCredentials: options.allowCredentials.map((known) => ({ ...known, id: toBytes(known.id) })),
  };
  const credential = await navigator.credentials.get({ publicKey }).catch(() => null);
  if (credential === null) throw new Error('No passkey was used: it was cancelled, or it took too long.');
  const { rawId, type, response } = /** @type {PublicKeyCredential} */ (credential);
  const { clientDataJSON, authenticatorData, signature } = /** @type {AuthenticatorAssertionResponse} */ (
    response
  );
  const id = toText(rawId);
  return {
    id,
    rawId: id,
    type,
    response: {
      clientDataJSON: toText(clientDataJSON),
      authenticatorData: toText(authenticatorData),
      signature: toText(signature),
    },
  };
}
