/** The way of the sign-in window to Qlik Cloud and back: authorization code with PKCE, as a public client (RFC 7636). */

/** The storage key of this window's request; other windows and sites can not read it. */
const ASKED = 'kaptain.cloud';

/** The same address for the request, for the exchange of the code and at the tenant's OAuth client. */
const RETURN_PATH = '/extension/cloud';

/**
 * Leaves for the tenant. The verifier of the challenge stays in the page that opened the window.
 * @param {DOMStringMap} cloud
 * @param {{ challenge: string, state: string }} request
 */
export async function leaveForCloud({ tenant = '', clientId = '' }, { challenge, state }) {
  sessionStorage.setItem(ASKED, JSON.stringify({ query: location.search, tenant, clientId }));
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: location.origin + RETURN_PATH,
    scope: 'user_default',
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  });
  location.assign(`${tenant}/oauth/authorize?${query}`);
}

/**
 * The request of this window, returned once; undefined when there is none.
 * @returns {{ query: URLSearchParams, tenant: string, clientId: string } | undefined}
 */
export function takeAsked() {
  const stored = sessionStorage.getItem(ASKED);
  sessionStorage.removeItem(ASKED);
  if (stored === null) return undefined;
  const { query, ...cloud } = JSON.parse(stored);
  return { query: new URLSearchParams(query), ...cloud };
}
