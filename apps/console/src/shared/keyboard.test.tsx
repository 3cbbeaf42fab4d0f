import { expect, it } from 'vitest';
import { isTyping } from './keyboard.ts';

const element = (html: string) => {
  const template = document.createElement('template');
  template.innerHTML = html;
  return document.importNode(template.content, true).firstElementChild;
};

it.each(['<input>', '<input type="search">', '<textarea></textarea>', '<select></select>'])(
  'knows that %s takes typed text',
  (html) => expect(isTyping(element(html))).toBe(true),
);

it.each([
  '<input type="checkbox">',
  '<input type="radio">',
  '<input role="combobox" readonly>',
  '<button></button>',
])('knows that %s takes none', (html) => expect(isTyping(element(html))).toBe(false));
