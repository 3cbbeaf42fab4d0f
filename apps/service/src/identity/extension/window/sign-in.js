/**
 * The script of the sign-in window: logs in, gets a one-time code, or has a kapsule chosen, and hands it to the page that
 * opened the window.
 */
import { chooseKapsule } from './choose.js';
import { leaveForCloud } from './cloud-sign-in.js';
import { canUsePasskeys, signWithPasskey } from './passkey.js';

const form = /** @type {HTMLFormElement} */ (document.querySelector('form'));
const message = /** @type {HTMLElement} */ (document.querySelector('#message'));
const button = /** @type {HTMLButtonElement} */ (form.querySelector('#submit'));
const { origin = '', kapsules = '', challenge = '', state = '', keyField, name = '' } = form.dataset;

/** @param {string} text */
const tell = (text) => {
  message.textContent = text;
};

/**
 * Posts JSON to the service; throws its message when it refuses.
 * @param {string} path
 * @param {object} body
 * @param {string} [token]
 * @returns {Promise<Record<string, string>>}
 */
async function post(path, body, token) {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  const answer = response.status === 204 ? {} : await response.json();
  if (!response.ok)
    throw Object.assign(new Error(answer.message), { code: answer.code, details: answer.details });
  return answer;
}

/** The challenge of a login whose password was right, while its second factor is asked for. */
let waiting = '';

/** The control of a step that was just shown; it gets the focus when the buttons are enabled again. */
let next = '';

/** @param {string} id */
const part = (id) => /** @type {HTMLElement} */ (form.querySelector(`#${id}`));

const ONLY_PASSKEY =
  'Your account has only passkeys, which this page can not use: they need HTTPS. Set up an authenticator app or make recovery codes on the page My account.';

/**
 * Shows the second step with the ways of this account; none means the first step.
 * @param {readonly string[]} methods
 */
function showStep(methods) {
  const isSecond = methods.length > 0;
  const takesCode = methods.includes('code') || methods.includes('recoveryCode');
  const takesPasskey = methods.includes('passkey') && canUsePasskeys();
  part('password-step').hidden = isSecond;
  part('passkey-step').hidden = !takesPasskey;
  part('code-step').hidden = !takesCode;
  button.hidden = isSecond && !takesCode;
  if (isSecond && !methods.includes('code'))
    part('code-step').querySelector('label')?.replaceChildren('Recovery code');
  for (const input of form.querySelectorAll('input')) input.required = input.closest('[hidden]') === null;
  if (isSecond && !takesCode && !takesPasskey) tell(ONLY_PASSKEY);
  next = takesPasskey && !methods.includes('code') ? 'passkey' : isSecond ? 'code' : 'username';
}

const SECRET = 'kaptain.sign-in';

/** Leaves for the provider of the company; the secret of this sign-in stays in this window. */
async function startProvider() {
  const query = location.search.slice(1);
  const to = keyField === undefined ? 'extension' : 'choose';
  const { url = '', verifier = '' } = await post('/auth/provider/start', { to, query });
  sessionStorage.setItem(SECRET, verifier);
  location.assign(url);
}

/** The code with which the browser has come back from the provider, once. */
const returned = /^#sign-in=([\w-]{43})$/.exec(location.hash)?.[1];
if (returned !== undefined) history.replaceState(null, '', location.pathname + location.search);

/** @returns {Promise<Record<string, string>>} */
function finishProvider() {
  const verifier = sessionStorage.getItem(SECRET) ?? 'none';
  sessionStorage.removeItem(SECRET);
  return post('/auth/provider/session', { code: returned ?? '', verifier });
}

/**
 * The second step of a login.
 * @param {() => Promise<object>} show What the account shows beside the password.
 */
async function finishLogIn(show) {
  try {
    return await post('/auth/second-factor', { challenge: waiting, ...(await show()) });
  } catch (error) {
    if (/** @type {{ code?: string }} */ (error).code === 'SIGN_IN_EXPIRED') {
      waiting = '';
      showStep([]);
    }
    throw error;
  }
}

const logInByPasskey = () =>
  finishLogIn(async () => {
    const options = await post('/auth/second-factor/passkey', { challenge: waiting });
    return {
      passkey: await signWithPasskey(
        /** @type {import('./passkey.js').Options} */ (/** @type {unknown} */ (options)),
      ),
    };
  });

/** @returns {Promise<Record<string, string> | undefined>} Undefined when the account asks for a second factor first. */
async function logIn() {
  const { username, password, code } = Object.fromEntries(new FormData(form));
  if (waiting !== '') return finishLogIn(async () => ({ code }));
  try {
    return await post('/auth/login', { username, password });
  } catch (error) {
    const { code: problem, details } =
      /** @type {{ code?: string, details?: { challenge: string, methods: string[] } }} */ (error);
    if (problem !== 'SECOND_FACTOR_REQUIRED') throw error;
    waiting = details?.challenge ?? '';
    showStep(details?.methods ?? ['code']);
    return undefined;
  }
}

const UNPROVEN =
  'Your provider does not state that you signed in just now (claim auth_time), which the settings ask for.';

/**
 * Hands the chosen kapsule to the page; the session ends with the window.
 * @param {string} token
 * @param {{ keyField: string, name: string }} wanted
 */
async function choose(token, wanted) {
  const { _id, name: shown, fields } = await chooseKapsule(form, token, wanted);
  window.opener.postMessage(
    { type: 'kaptain-kapsule', kapsule: { id: _id, name: shown, fields }, state },
    origin,
  );
  await post('/auth/logout', {}, token).catch(() => undefined);
  window.close();
}

/**
 * The token of the session stays in this function: only the one-time code leaves the window. Exported, so that the file
 * is a module, whose names are its own.
 */
export async function signIn(logInBy = logIn) {
  const answer = await logInBy();
  if (!answer) return;
  const { accessToken = '' } = answer;
  try {
    if (keyField !== undefined) return await choose(accessToken, { keyField, name });
    const kapsuleIds = kapsules.split(',');
    const { code } = await post('/api/extension/codes', { origin, kapsuleIds, challenge }, accessToken);
    window.opener.postMessage({ type: 'kaptain-sign-in', code, state }, origin);
  } catch (error) {
    await post('/auth/logout', {}, accessToken).catch(() => undefined);
    // A password is a fresh proof, so that only sign-ins by the provider are without one.
    const isUnproven = /** @type {{ code?: string }} */ (error).code === 'PROOF_NEEDED';
    throw isUnproven ? new Error(UNPROVEN) : error;
  }
  window.close();
}

if (window.opener === null) {
  tell('This window was not opened by a page that waits for it. Close it and sign in from the page.');
}

/** @param {() => Promise<void>} work */
function run(work) {
  const buttons = [...form.querySelectorAll('button')];
  for (const each of buttons) each.disabled = true;
  tell('');
  work()
    .catch((error) =>
      tell(error instanceof Error && error.message !== '' ? error.message : 'The sign-in failed.'),
    )
    .finally(() => {
      for (const each of buttons) each.disabled = false;
      if (next !== '') part(next).focus();
      next = '';
    });
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  run(() => signIn());
});
form.querySelector('#passkey')?.addEventListener('click', () => run(() => signIn(logInByPasskey)));
form.querySelector('#provider')?.addEventListener('click', () => run(startProvider));
const cloud = document.getElementById('cloud');
const goToCloud = () => run(() => leaveForCloud(cloud?.dataset ?? {}, { challenge, state }));
cloud?.addEventListener('click', goToCloud);
if (window.opener !== null) for (const each of form.querySelectorAll('button')) each.disabled = false;
// On a page of the tenant the person is signed in there already. The way back after a refusal has a fragment.
const isComingBack = returned !== undefined || location.hash !== '';
if (cloud?.dataset['tenant'] === origin && !isComingBack && window.opener !== null) goToCloud();
if (returned !== undefined && window.opener !== null) run(() => signIn(finishProvider));
