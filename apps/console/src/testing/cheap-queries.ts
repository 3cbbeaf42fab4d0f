/*
 * What the testing library asks of every element of the document at every look. jsdom answers in general ways: `labels` walks the
 * whole document, `matches` and `querySelectorAll` run a selector engine. Together they took two fifths of the time of a test with a
 * large form.
 */

const labelsOf = (control: HTMLElement): HTMLLabelElement[] =>
  [...control.ownerDocument.getElementsByTagName('label')].filter((label) =>
    label.htmlFor
      ? label.htmlFor === control.id
      : label.contains(control) && label.querySelector('button, input, select, textarea') === control,
  );

for (const { prototype } of [HTMLButtonElement, HTMLInputElement, HTMLSelectElement, HTMLTextAreaElement])
  Object.defineProperty(prototype, 'labels', {
    configurable: true,
    get(this: HTMLElement) {
      return labelsOf(this);
    },
  });

const BUTTONS = 'input[type=submit], input[type=button], input[type=reset]';
const isButton = (element: Element) =>
  element instanceof HTMLInputElement && ['submit', 'button', 'reset'].includes(element.type);

const matches = Reflect.get(Element.prototype, 'matches') as (this: Element, selector: string) => boolean;
Object.assign(Element.prototype, {
  matches(this: Element, selector: string): boolean {
    if (selector === '*') return true;
    return selector === BUTTONS ? isButton(this) : matches.call(this, selector);
  },
});

/** All elements inside, in the order of the document. */
function elementsIn(place: ParentNode, found: Element[] = []): Element[] {
  for (let child = place.firstElementChild; child; child = child.nextElementSibling) {
    found.push(child);
    elementsIn(child, found);
  }
  return found;
}

const ATTRIBUTE = /^\[([\w-]+)\]$/;
const ROLE = /^\*\[role~="(\w+)"\]((?:,\w+)*)$/;
const ID = /^\[id="([^"\\]+)"\]$/;

/** What the selector finds, for the selectors that the testing library and tables use at every look; otherwise undefined. */
function findAll(place: ParentNode, selector: string): Element[] | undefined {
  if (selector === '*') return elementsIn(place);
  const attribute = ATTRIBUTE.exec(selector)?.[1];
  if (attribute !== undefined) return elementsIn(place).filter((element) => element.hasAttribute(attribute));
  const [, role, tags] = ROLE.exec(selector) ?? [];
  if (role === undefined) return undefined;
  const names = new Set(tags?.split(',').slice(1));
  return elementsIn(place).filter(
    (element) => names.has(element.localName) || element.getAttribute('role')?.split(/\s+/).includes(role),
  );
}

/** As `findAll`, for the first one; antd asks for the head whenever it registers a style. */
function findFirst(place: Document | Element, selector: string): Element | undefined {
  if (selector === 'head' && place instanceof Document) return place.head;
  const id = ID.exec(selector)?.[1];
  const found = id === undefined ? null : document.getElementById(id);
  return found && found !== place && place.contains(found) ? found : undefined;
}

type Query = (this: ParentNode, selector: string) => unknown;

for (const prototype of [Document.prototype, Element.prototype]) {
  const all: Query = Reflect.get(prototype, 'querySelectorAll');
  const first: Query = Reflect.get(prototype, 'querySelector');
  Object.assign(prototype, {
    querySelectorAll(this: ParentNode, selector: string) {
      return findAll(this, selector) ?? all.call(this, selector);
    },
    querySelector(this: Document | Element, selector: string) {
      return findFirst(this, selector) ?? first.call(this, selector);
    },
  });
}
