import { afterEach, describe, expect, test } from 'vitest';
import { focusPathOf, nearestTo } from './focus-path.ts';

const row = (name: string, ...actions: string[]) =>
  `<tr id="${name}"><td>${name}</td><td>${actions.map((action) => `<button>${action} ${name}</button>`).join('')}</td></tr>`;
const page = (rows: string) => {
  document.body.innerHTML = `<main><header><button>Create</button></header><table><tbody>${rows}</tbody></table></main>`;
};
const button = (text: string) => {
  const found = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === text);
  if (!found) throw new Error(`There is no button ${text}.`);
  return found;
};
/** The text of the button that gets the focus when the button `text` had it and the page then changes. */
const after = (text: string, change: () => void) => {
  const path = focusPathOf(button(text));
  change();
  return nearestTo(path)?.textContent;
};
const remove = (id: string) => document.getElementById(id)?.remove();

afterEach(() => document.body.replaceChildren());

describe('the focus of a removed row', () => {
  test('goes to the same action of the next row, whatever comes before it', () => {
    page(row('a', 'Edit', 'Delete') + row('b', 'Unlock', 'Edit', 'Delete') + row('c', 'Delete'));
    expect(after('Delete a', () => remove('a'))).toBe('Delete b');
  });

  test('goes to the previous row at the end, and above the table from the only one', () => {
    page(row('a', 'Edit', 'Delete') + row('b', 'Edit', 'Delete'));
    expect(after('Edit b', () => remove('b'))).toBe('Edit a');
    expect(after('Edit a', () => remove('a'))).toBe('Create');
  });

  test('goes to the next row that is left, when several are removed', () => {
    page(row('a', 'Delete') + row('b', 'Delete') + row('c', 'Delete'));
    const both = () => {
      remove('a');
      remove('b');
    };
    expect(after('Delete a', both)).toBe('Delete c');
  });
});

test('a button that becomes disabled passes the focus to its neighbour; one that stays has it again', () => {
  page(row('a', 'Edit', 'Move', 'Delete'));
  expect(after('Move a', () => button('Move a').setAttribute('disabled', ''))).toBe('Delete a');
  expect(after('Delete a', () => button('Delete a').setAttribute('disabled', ''))).toBe('Edit a');
  expect(after('Edit a', () => undefined)).toBe('Edit a');
});

test('the focus stays in a card whose content is replaced', () => {
  document.body.innerHTML =
    '<section id="card"><p><button>Add</button></p></section><section><button>Next card</button></section>';
  const replace = () => {
    const card = document.getElementById('card');
    if (card) card.innerHTML = '<ul><li><button>Rename</button></li></ul><p><button>Add</button></p>';
  };
  expect(after('Add', replace)).toBe('Rename');
});

test.each(['popover', 'notification'])('a closed %s has no place for the focus', (layer) => {
  page(row('a', 'Edit'));
  document.body.insertAdjacentHTML('beforeend', `<div class="ant-${layer}"><button>Inside</button></div>`);
  expect(after('Inside', () => document.querySelector(`.ant-${layer}`)?.remove())).toBeUndefined();
});
