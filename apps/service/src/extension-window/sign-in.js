/** The script of the sign-in window: logs in, gets a one-time code and hands it to the page that opened the window. */
const form = /** @type {HTMLFormElement} */ (document.querySelector('form'));
const message = /** @type {HTMLElement} */ (document.querySelector('#message'));
const button = /** @type {HTMLButtonElement} */ (form.querySelector('button'));
const { origin = '', kapsules = '', challenge = '', state = '' } = form.dataset;

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
  if (!response.ok) throw new Error(answer.message);
  return answer;
}

/**
 * The token of the session stays in this function: only the one-time code leaves the window. Exported, so that the file
 * is a module, whose names are its own.
 */
export async function signIn() {
  const { username, password } = Object.fromEntries(new FormData(form));
  const { accessToken } = await post('/auth/login', { username, password });
  try {
    const kapsuleIds = kapsules.split(',');
    const { code } = await post('/api/extension/codes', { origin, kapsuleIds, challenge }, accessToken);
    window.opener.postMessage({ type: 'kaptain-sign-in', code, state }, origin);
  } catch (error) {
    await post('/auth/logout', {}, accessToken).catch(() => undefined);
    throw error;
  }
  window.close();
}

if (window.opener === null) {
  button.disabled = true;
  tell('This window was not opened by a page that waits for it. Close it and sign in from the page.');
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  button.disabled = true;
  tell('');
  signIn().catch((error) => {
    tell(error instanceof Error && error.message !== '' ? error.message : 'The sign-in failed.');
    button.disabled = false;
  });
});
