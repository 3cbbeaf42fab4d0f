import { CLOUD_RETURN_PATH } from '@kaptain/contract/extension-window';
import { texts } from '../texts/texts.ts';
import { ServiceError } from './service-client.ts';

/**
 * Exchanges the code that the window has brought from Qlik Cloud for an access token of the person, which stays in the
 * memory of the page: https://qlik.dev/authenticate/oauth/ (authorization code with PKCE).
 */
export async function cloudAccessToken(
  serviceUrl: string,
  { tenant, clientId, code }: Record<string, unknown>,
  verifier: string,
): Promise<string> {
  const asked = {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    code_verifier: verifier,
    redirect_uri: serviceUrl + CLOUD_RETURN_PATH,
  };
  const answer = await fetch(`${String(tenant)}/oauth/token`, {
    method: 'POST',
    // Without the tenant's session: code and verifier are the proof.
    credentials: 'omit',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(asked),
  })
    .then((response) => (response.ok ? response.json() : {}))
    // The browser refuses the call when the tenant does not allow this page's origin.
    .catch(() => ({}));
  const { access_token: token } = answer as { access_token?: unknown };
  if (typeof token !== 'string' || token === '') throw new ServiceError(0, texts().cloudRefused);
  return token;
}
