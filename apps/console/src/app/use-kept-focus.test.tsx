import { render } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { useKeptFocus } from './use-kept-focus.ts';

function Page({ names }: { names: readonly string[] }) {
  useKeptFocus();
  return names.map((name) => (
    <button key={name} type="button">
      {name}
    </button>
  ));
}
const open = () => {
  const { getAllByRole, rerender } = render(<Page names={['First', 'Second']} />);
  const [first, second] = getAllByRole('button');
  if (!first || !second) throw new Error('There are no buttons.');
  return { first, second, removeSecond: () => rerender(<Page names={['First']} />) };
};
/** The observer has been told of all changes, and the frame after them has come. */
const nextFrame = () => new Promise((resolve) => setTimeout(() => requestAnimationFrame(resolve)));

test.each([
  ['is scrolled to if the focus was shown', true],
  ['is not scrolled to for someone who points', false],
])('the focus of a removed element goes to its neighbour, which %s', async (_, isShown) => {
  const { first, second, removeSecond } = open();
  const focus = vi.spyOn(first, 'focus');
  // In jsdom it depends on the last event of any test.
  const isMatch = (selector: string) => selector === ':focus-visible' && isShown;
  vi.spyOn(second, 'matches').mockImplementation(isMatch);
  second.focus();
  removeSecond();
  await nextFrame();
  expect(document.activeElement).toBe(first);
  expect(focus).toHaveBeenLastCalledWith({ preventScroll: !isShown });
});

test('an element that was left before it is removed moves no focus', async () => {
  const { second, removeSecond } = open();
  second.focus();
  second.blur();
  await nextFrame();
  removeSecond();
  await nextFrame();
  expect(document.activeElement).toBe(document.body);
});
