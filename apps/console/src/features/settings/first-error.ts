import { idOf } from './use-settings-form.ts';

interface FieldError {
  name: (string | number)[];
  errors: string[];
}

const elementOf = ({ name }: Pick<FieldError, 'name'>) => document.getElementById(idOf(name));

const isAfter = (a: Element, b: Element) =>
  (b.compareDocumentPosition(a) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;

/** The first invalid field from the top of the page: the form lists fields in the order of their appearance. */
export function firstError(fields: readonly FieldError[]): FieldError | undefined {
  return fields
    .filter(({ errors }) => errors.length > 0)
    .toSorted((a, b) => {
      const [first, second] = [elementOf(a), elementOf(b)];
      if (!first || !second) return 0;
      return isAfter(first, second) ? 1 : -1;
    })[0];
}

/** Brings a field into view and puts the cursor into it. */
export function goToField(name: readonly (string | number)[]): void {
  const element = document.getElementById(idOf(name));
  element?.scrollIntoView({ block: 'center' });
  element?.focus({ preventScroll: true });
}
