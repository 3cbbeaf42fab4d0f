import { afterEach, beforeEach } from 'vitest';

/** The addresses to which the clicks of each test would have led: jsdom does not navigate. */
export function visitedLinks(): string[] {
  const visited: string[] = [];
  const note = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link) return;
    visited.push(link.href.replace(location.origin, ''));
    event.preventDefault();
  };
  beforeEach(() => {
    visited.length = 0;
    document.addEventListener('click', note);
  });
  afterEach(() => document.removeEventListener('click', note));
  return visited;
}
