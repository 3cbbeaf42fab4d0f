import { fireEvent } from '@testing-library/react';

/** Sets the text of a field in one event, where the single keys do not matter: each key would render the screen again. */
export const enter = (field: HTMLElement, text: string): void => {
  fireEvent.change(field, { target: { value: text } });
};
