import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { refuse } from '../../../testing/fake-service.ts';
import { FakeUpload } from '../../../testing/fake-upload.ts';
import { plainUser, renderScreen } from '../../../testing/render-screen.tsx';
import { pageOf, path } from '../granules-fixture.ts';
import { afterCheck, colours, good, type ImportQvd } from './colours-fixture.ts';

/** An upload whose files have all been sent. */
class SentUpload extends FakeUpload {
  override readonly sent = 100;
}

/** Chooses a file, and uploads it. */
async function upload(importQvd: ImportQvd) {
  const view = renderScreen(path, {
    as: plainUser,
    answers: {
      session: {
        status: () => ({ status: 'initialized' }),
        login: () => ({ accessToken: 'token-2', user: plainUser }),
      },
      kapsules: { get: () => colours, list: () => [colours] },
      granules: { list: () => pageOf(), importQvd: afterCheck(importQvd) },
    },
  });
  await view.user.click(await screen.findByText('Import'));
  await view.user.upload(await screen.findByLabelText(/\.qvd files/), await good('a.qvd'));
  await view.user.click(screen.getByText('Start Upload'));
  return view;
}
const pending: ImportQvd = () => new Promise(() => undefined);
const received = 'The service had received the files already: their rows may be stored.';
const unknown = /It is not known whether the rows were stored/;

beforeEach(() => vi.stubGlobal('XMLHttpRequest', SentUpload));

test('an upload that is cancelled or loses its connection before all is sent stores nothing; after that its rows may be stored, which is said, and the list is fetched again', async () => {
  const lost: ImportQvd = () => {
    throw new TypeError('no connection');
  };
  let importQvd = pending;
  vi.stubGlobal('XMLHttpRequest', FakeUpload);
  const { user, service } = await upload((input) => importQvd(input));
  const lists = () => service.callsOf('granules.list').length;
  const listed = lists();
  const again = async (next: ImportQvd) => {
    importQvd = next;
    await user.click(await screen.findByText('Start Upload'));
  };
  await user.click(await screen.findByText('Cancel the upload'));
  expect(await screen.findByText('Start Upload')).toBeTruthy();
  expect(screen.queryByText(received)).toBeNull();

  await again(lost);
  expect(await screen.findByText('Import Failed')).toBeTruthy();
  expect(screen.queryByText(unknown)).toBeNull();
  await user.click(screen.getByText('Back to the files'));
  expect(lists()).toBe(listed);

  vi.stubGlobal('XMLHttpRequest', SentUpload);
  await again(lost);
  expect(await screen.findByText('Import Failed')).toBeTruthy();
  expect(screen.getByText(unknown)).toBeTruthy();
  await waitFor(() => expect(lists()).toBeGreaterThan(listed));
  await user.click(screen.getByText('Back to the files'));

  await again(pending);
  expect(await screen.findByText('The service is storing the rows…')).toBeTruthy();
  const before = lists();
  await user.click(screen.getByText('Cancel the upload'));
  expect(await screen.findByText(received)).toBeTruthy();
  expect(await screen.findByText('Start Upload')).toBeTruthy();
  await waitFor(() => expect(lists()).toBeGreaterThan(before));
});

test('every way out asks while an upload runs, and leaving cancels it', async () => {
  const { user } = await upload(pending);
  await screen.findByText('The service is storing the rows…');
  expect(dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(false);
  const answer = async (text: string) => {
    const [link] = screen.getAllByText('Kapsules', { selector: 'nav *' });
    await user.click(link as HTMLElement);
    const [title] = await screen.findAllByText('Leave and cancel the upload?');
    await user.click(within(title?.closest('[role=dialog]') as HTMLElement).getByText(text));
    await waitFor(() => expect(screen.queryAllByText('Leave and cancel the upload?')).toEqual([]));
  };
  await answer('Stay');
  expect(location.pathname).toBe(path);
  expect(screen.getByText('Cancel the upload')).toBeTruthy();
  await answer('Leave');
  await waitFor(() => expect(location.pathname).toBe('/data/kapsules'));
  expect(await screen.findByText(received)).toBeTruthy();
});

test('an upload that ends with the session keeps its files for the same user', async () => {
  const { user } = await upload(() => refuse('NOT_LOGGED_IN', 'Log in again.'));
  await screen.findByRole('heading', { name: 'Log in' });
  await user.type(screen.getByLabelText('Password'), 'x{Enter}');
  await waitFor(() => expect(location.pathname).toBe(path));
  expect(await screen.findByText('Start Upload')).toBeTruthy();
  expect(screen.getByLabelText('Leave out a.qvd')).toBeTruthy();
  expect(screen.queryByText('Import Failed')).toBeNull();
  expect(screen.queryByText(received)).toBeNull();
});
