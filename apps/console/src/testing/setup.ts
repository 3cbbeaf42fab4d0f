import { cleanup, configure } from '@testing-library/react';
import { afterEach, vi } from 'vitest';
import { reactIsIdle } from './production-act.ts';

configure({
  // A slow machine fails no test; an element that never appears does.
  asyncUtilTimeout: 60_000,
  // Only the message: with the whole document it is unreadable.
  getElementError: (message) => new Error(message ?? 'not found'),
  // Queries skip the computation of what is hidden and the search for script elements: both cost more than the query itself.
  defaultHidden: true,
  defaultIgnore: '',
  // A click, a key press or a wait ends when React has rendered what follows from it.
  asyncWrapper: async (work) => {
    const result = await work();
    await reactIsIdle();
    return result;
  },
});

/** Answers media queries as a wide, light screen without motion does: jsdom has no layout. */
const isWide = (query: string) => query.includes('reduce') || query.includes('min-width');

vi.stubGlobal('matchMedia', (query: string) => ({
  matches: isWide(query),
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

// jsdom does not implement it: without layout there is nothing to scroll.
Element.prototype.scrollIntoView = () => undefined;

// Style elements stay empty: jsdom would parse antd's CSS variables at every mount, and no test reads them.
Object.defineProperty(HTMLStyleElement.prototype, 'innerHTML', {
  configurable: true,
  get: () => '',
  set() {},
});

/** Reads only the element's own style, its `hidden` attribute and antd's hiding classes: jsdom's version matches every CSS rule. */
const isHidden = (element: Element) =>
  element.hasAttribute('hidden') || /\bant-[a-z-]+-hidden\b/.test(element.getAttribute('class') ?? '');
vi.stubGlobal(
  'getComputedStyle',
  (element: HTMLElement) =>
    new Proxy(element.style, {
      get(style, name) {
        if (name === 'display' && isHidden(element)) return 'none';
        const value: unknown = Reflect.get(style, name);
        if (typeof value === 'function') return value.bind(style) as unknown;
        if (value !== '') return value;
        return name === 'display' ? 'block' : name === 'visibility' ? 'visible' : '';
      },
    }),
);

afterEach(() => {
  cleanup();
  sessionStorage.clear();
  localStorage.clear();
  history.replaceState(null, '', '/');
  document.body.replaceChildren();
});
