/* Lets the reference work under the content security policy of this page, without loosening it. */

/* Its validator then does not try whether it may compile code. */
globalThis.__zod_globalConfig = { jitless: true };

/* Style elements that it makes get the nonce of the page; those in inserted HTML stay without it and are ignored. */
const { content: nonce } = document.querySelector('meta[property=csp-nonce]');
const create = document.createElement.bind(document);
document.createElement = (name, options) => {
  const element = create(name, options);
  if (element instanceof HTMLStyleElement) element.nonce = nonce;
  return element;
};

/* The policy forbids style attributes as text; the same declarations as an object are allowed. */
const set = Element.prototype.setAttribute;
Element.prototype.setAttribute = function (name, value) {
  if (name === 'style' && 'style' in this) this.style.cssText = value;
  else set.call(this, name, value);
};

/* Code blocks have the number of their lines in a style attribute, which the policy would report and ignore. */
const html = Object.getOwnPropertyDescriptor(Element.prototype, 'innerHTML');
Object.defineProperty(Element.prototype, 'innerHTML', {
  ...html,
  set(value) {
    html.set.call(this, String(value).replace(/^(<code [^>]*?) style="[^"]*"/, '$1'));
  },
});
