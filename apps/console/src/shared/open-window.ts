/**
 * An empty window, opened in the click itself: browsers block windows that open later. Undefined when it is blocked all
 * the same. It can't navigate the page that has opened it.
 */
export function openWindow(features?: string): Window | undefined {
  const opened = window.open('about:blank', '_blank', features);
  if (opened) opened.opener = null;
  return opened ?? undefined;
}
