/** Lets the reference work under the content security policy of its page, without loosening the policy. */

// Its validator then does not try whether it may compile code.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

// Style elements that it makes get the nonce of the page; those in inserted HTML have none and are ignored.
const nonce = document.querySelector('meta[property=csp-nonce]')?.getAttribute('content') ?? '';
const create = document.createElement.bind(document);
/**
 * @param {string} name
 * @param {ElementCreationOptions} [options]
 */
const createWithNonce = (name, options) => {
  const element = create(name, options);
  if (element instanceof HTMLStyleElement) element.nonce = nonce;
  return element;
};
Object.assign(document, { createElement: createWithNonce });

// The policy forbids style attributes as text; the same declarations through the object model are allowed.
const setAttribute = Object.getOwnPropertyDescriptor(Element.prototype, 'setAttribute')?.value;
Object.assign(Element.prototype, {
  /**
   * @this {HTMLElement}
   * @param {string} name
   * @param {string} value
   */
  setAttribute(name, value) {
    if (name === 'style' && this.style) this.style.cssText = value;
    else setAttribute.call(this, name, value);
  },
});

// Code blocks have the number of their lines in a style attribute, which the policy would report and ignore.
const innerHtml = Object.getOwnPropertyDescriptor(Element.prototype, 'innerHTML');
Object.defineProperty(Element.prototype, 'innerHTML', {
  ...innerHtml,
  /** @param {unknown} value */
  set(value) {
    innerHtml?.set?.call(this, String(value).replace(/^(<code [^>]*?) style="[^"]*"/, '$1'));
  },
});
