import { cleanup, configure } from '@testing-library/react';
import { afterEach, vi } from 'vitest';

// A busy machine is no failure; what never appears still fails. The whole document in the message helps nobody.
configure({ asyncUtilTimeout: 10_000, getElementError: (message) => new Error(message ?? 'not found') });

/** jsdom has no layout: every media query of a wide, light screen without motion. */
const wide = (query: string) => query.includes('reduce') || query.includes('min-width');

vi.stubGlobal('matchMedia', (query: string) => ({
  matches: wide(query),
  media: query,
  addEventListener() {},
  removeEventListener() {},
  addListener() {},
  removeListener() {},
}));
vi.stubGlobal(
  'ResizeObserver',
  class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
);

// jsdom has no layout, so there is nothing to scroll.
Element.prototype.scrollIntoView = () => undefined;

// jsdom can't compute the styles of pseudo elements and says so in many lines.
const computed = getComputedStyle;
vi.stubGlobal('getComputedStyle', (element: Element) => computed(element));

afterEach(() => {
  cleanup();
  sessionStorage.clear();
  localStorage.clear();
  history.replaceState(null, '', '/');
  document.body.replaceChildren();
});
