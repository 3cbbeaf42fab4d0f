import { isAlive, tabStopsIn } from '../shared/tab-stops.ts';

/** Elements above the page that disappear as a whole. */
const LAYERS =
  '.ant-modal-wrap, .ant-drawer, .ant-popover, .ant-dropdown, .ant-select-dropdown, .ant-notification';

interface Level {
  element: Element;
  /** The children of the parent when the element had the focus. */
  siblings: readonly Element[];
}

/** Where an element was: the element itself and its ancestors inside its layer. */
export interface FocusPath {
  layer: Element;
  levels: readonly Level[];
}

export function focusPathOf(element: Element): FocusPath {
  const layer = element.closest(LAYERS) ?? document.body;
  const levels: Level[] = [];
  for (let at = element; at !== layer && at.parentElement; at = at.parentElement)
    levels.push({ element: at, siblings: [...at.parentElement.children] });
  return { layer, levels };
}

/** Whether the element can still have the focus: a pager takes that from its arrow at the last page. */
export const isFocusable = (element: Element): element is HTMLElement =>
  element instanceof HTMLElement &&
  isAlive(element) &&
  (element.tabIndex >= 0 || element.hasAttribute('tabindex'));

/** The same action of another row. Actions are counted from the end: some rows have more of them before it. */
function twinIn(branch: Element, path: readonly Level[]): HTMLElement | undefined {
  let at: Element | undefined = branch;
  for (const { element, siblings } of path.toReversed()) {
    at = [...at.children].at(siblings.indexOf(element) - siblings.length);
    if (at?.tagName !== element.tagName) return undefined;
  }
  return tabStopsIn(at)[0];
}

/** The element that had the focus; if it is gone, its twin in the next or previous row; otherwise its nearest neighbour. */
export function nearestTo({ levels }: FocusPath): HTMLElement | undefined {
  for (const [depth, { element, siblings }] of levels.entries()) {
    if (depth === 0 && isFocusable(element)) return element;
    // A control inside the replaced surroundings comes before controls around them.
    const [replacement] = depth > 0 && isAlive(element) ? tabStopsIn(element) : [];
    if (replacement) return replacement;
    const index = siblings.indexOf(element);
    const path = levels.slice(0, depth);
    for (const next of siblings.slice(index + 1)) {
      const found = twinIn(next, path) ?? tabStopsIn(next)[0];
      if (found) return found;
    }
    for (const previous of siblings.slice(0, index).toReversed()) {
      const found = twinIn(previous, path) ?? tabStopsIn(previous).at(-1);
      if (found) return found;
    }
  }
  return undefined;
}
