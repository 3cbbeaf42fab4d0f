import { cleanup, configure } from '@testing-library/react';
import { afterEach, vi } from 'vitest';
import { reactIsIdle } from './production-act.ts';

configure({
  // A busy machine is no failure; what never appears still fails.
  asyncUtilTimeout: 20_000,
  // The message alone: the whole document in it makes it unreadable.
  getElementError: (message) => new Error(message ?? 'not found'),
  // A click, a key press or a wait ends when the screen shows what follows from it.
  asyncWrapper: async (work) => {
    const result = await work();
    await reactIsIdle();
    return result;
  },
});

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

/**
 * jsdom would match every rule of antd's style sheets against every element asked about, which took most of the time of
 * these tests. What hides something here is its own style, its `hidden` attribute or antd's class for it.
 */
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
