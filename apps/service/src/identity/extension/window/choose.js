/**
 * The second step of the window in which the author of a sheet chooses a kapsule, or has one made for the sheet.
 * @typedef {{ _id: string, name: string, keyField: string, fields: { name: string, type: string }[] }} Kapsule
 */

/**
 * @param {string} id
 * @param {string} text
 * @param {HTMLElement} control
 */
function labelled(id, text, control) {
  control.id = id;
  return [Object.assign(document.createElement('label'), { htmlFor: id, textContent: text }), control];
}

/**
 * Calls the service; throws its message when it refuses.
 * @param {string} token
 * @param {object} [body]
 */
async function callKapsules(token, body) {
  const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) };
  const posted = body && { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch('/api/kapsule', { headers, ...posted });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.message);
  return answer;
}

/**
 * Replaces the form by the kapsules that the person may read, and waits for the choice.
 * @param {HTMLFormElement} form
 * @param {string} token
 * @param {{ keyField: string, name: string }} wanted
 * @returns {Promise<Kapsule>}
 */
export async function chooseKapsule(form, token, { keyField, name }) {
  /** @type {Kapsule[]} */
  const kapsules = await callKapsules(token);
  const list = document.createElement('select');
  list.append(new Option('A new one', ''), ...kapsules.map(({ _id, name: shown }) => new Option(shown, _id)));
  list.value = kapsules.find((kapsule) => kapsule.keyField === keyField)?._id ?? '';
  const naming = Object.assign(document.createElement('input'), { value: name, maxLength: 255 });
  const newOne = labelled('new-name', `Name of the new one; its key field is ${keyField}`, naming);
  const show = () => {
    for (const part of newOne) part.hidden = list.value !== '';
  };
  list.addEventListener('change', show);
  show();
  const problem = Object.assign(document.createElement('p'), { id: 'message', role: 'alert' });
  const button = Object.assign(document.createElement('button'), { textContent: 'Choose' });
  const choice = document.createElement('form');
  choice.append(...labelled('kapsule', 'Comments are stored in', list), ...newOne, problem, button);
  form.replaceWith(choice);
  list.focus();
  return new Promise((resolve) => {
    choice.addEventListener('submit', (event) => {
      event.preventDefault();
      problem.textContent = '';
      const known = kapsules.find(({ _id }) => _id === list.value);
      if (known) return resolve(known);
      const fields = [{ name: 'Comment', type: 'text' }];
      callKapsules(token, { name: naming.value, keyField, fields }).then(resolve, (error) => {
        problem.textContent = error.message;
      });
    });
  });
}
