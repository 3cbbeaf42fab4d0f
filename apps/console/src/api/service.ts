import { type Client, createClient } from '@kaptain/contract/client';
import type { Api } from '@kaptain/contract/route';
import { goToLogin } from '../shared/location.ts';
import { clearSession, readToken, readUser } from '../shared/session-storage.ts';
import { hasUnsavedChanges } from '../shared/unsaved-forms.ts';
import { withProofOfIdentity } from './identity-answers.ts';

let serviceUrl = '';

/** Sets the origin of the service from the run-time configuration; empty for the same origin. */
export function setServiceUrl(url: string): void {
  serviceUrl = url.replace(/\/+$/, '');
}
export const urlOf = (path: string): string => serviceUrl + path;

/** Spec 4: a 401 on any call clears the token and goes to /login. A late 401 of an earlier session is ignored. */
function endSession(token: string | null): void {
  if (token === null || token !== readToken()) return;
  const keepsPage = hasUnsavedChanges();
  goToLogin(readUser());
  clearSession({ keepsPage });
}

/** The typed client of some nouns: each file of this folder creates its own, so that a page loads only those. */
export const service = <A extends Api>(api: A, fetchWith?: typeof fetch): Client<A> =>
  createClient(api, {
    get baseUrl() {
      return serviceUrl;
    },
    token: readToken,
    onUnauthorized: endSession,
    fetch: (input, init) => withProofOfIdentity(() => (fetchWith ?? fetch)(input, init)),
  });
