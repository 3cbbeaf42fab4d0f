/** The script of the page to which Qlik Cloud sends the window back: hands the code to the page that opened it. */
import { takeAsked } from './cloud-sign-in.js';

const message = /** @type {HTMLElement} */ (document.querySelector('#message'));
const again = /** @type {HTMLAnchorElement} */ (document.querySelector('#again'));

const given = new URLSearchParams(location.search);
// The code stays neither in the address nor in the history.
history.replaceState(null, '', location.pathname);
const asked = takeAsked();
const [state, code] = [given.get('state'), given.get('code')];

if (window.opener === null || asked === undefined || state === null || asked.query.get('state') !== state) {
  message.textContent = 'This sign-in was not begun in this window. Close it and sign in from the page.';
} else if (code === null) {
  message.textContent = 'Qlik Cloud has not signed you in.';
  // The fragment keeps the form from going to the tenant by itself.
  again.href = `/extension/sign-in?${asked.query}#account`;
  again.hidden = false;
} else {
  const { query, tenant, clientId } = asked;
  // The sign-in window was shown for this origin, so the service allows it; the browser delivers to it only.
  window.opener.postMessage(
    { type: 'kaptain-cloud', code, state, tenant, clientId },
    query.get('origin') ?? '',
  );
  window.close();
}
