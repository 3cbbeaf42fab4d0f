/** Whether the element is there, visible and enabled. */
export const isAlive = (element: Element): boolean =>
  element.isConnected &&
  !element.matches(':disabled') &&
  // A document without a layout, as in tests without a browser, has no such method.
  (element.checkVisibility?.({ visibilityProperty: true }) ?? true);

/** The elements inside that Tab visits, in their order; of a group of radio buttons it visits the checked one. */
export function tabStopsIn(root: Element): HTMLElement[] {
  const all = [
    root,
    ...root.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]'),
  ].filter((element) => element instanceof HTMLElement);
  const checked = new Set(
    all.filter((one) => one.matches('input:checked')).map((one) => one.getAttribute('name')),
  );
  return all.filter(
    (one) =>
      one.tabIndex >= 0 &&
      isAlive(one) &&
      !one.closest('[aria-hidden="true"]') &&
      !(one.matches('[type="radio"]:not(:checked)') && checked.has(one.getAttribute('name'))),
  );
}
