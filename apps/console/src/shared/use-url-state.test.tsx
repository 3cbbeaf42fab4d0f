import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { expect, test } from 'vitest';
import { useUrlState } from './use-url-state.ts';

const initial = { q: '', status: '' };

function Filters() {
  const [{ q, status }, change] = useUrlState(initial);
  const clearAndSearch = () => {
    change({ status: '' });
    change({ q: 'budget' });
  };
  return (
    <button type="button" onClick={clearAndSearch}>
      {`${status} ${q}`.trim()}
    </button>
  );
}

test('a change keeps the one before it, which is not rendered yet', async () => {
  history.replaceState(null, '', '/?status=failed&other=kept');
  const router = createBrowserRouter([{ path: '*', Component: Filters }]);
  render(<RouterProvider router={router} />);
  await userEvent.click(await screen.findByRole('button', { name: 'failed' }));
  expect(await screen.findByRole('button', { name: 'budget' })).toBeTruthy();
  expect(location.search).toBe('?other=kept&q=budget');
  router.dispose();
});
