/**
 * The field with this label, the first of several, or null. On a large form it is far cheaper than `getByLabelText`, which looks at every element
 * of the document.
 */
export function labelled(text: string, container: ParentNode = document): HTMLInputElement | null {
  const label = Array.from(container.querySelectorAll('label')).find(
    ({ textContent }) => textContent === text,
  );
  if (!label) return null;
  return label.htmlFor
    ? (document.getElementById(label.htmlFor) as HTMLInputElement | null)
    : label.querySelector('input');
}

/** As `labelled`, for a field that has to be there. */
export function fieldOf(label: string): HTMLInputElement {
  const found = labelled(label);
  if (!found) throw new Error(`There is no field ${label}.`);
  return found;
}
