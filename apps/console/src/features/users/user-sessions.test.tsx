import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { adminUser, renderScreen } from '../../testing/render-screen.tsx';
import { serviceWith } from './users-fixture.ts';

const session = (id: string, ip: string) => ({
  _id: id,
  createdAt: '2026-03-04T05:06:07Z',
  lastSeenAt: '2026-03-05T06:07:08Z',
  expiresAt: '2026-03-06T00:00:00Z',
  ip,
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
  current: false,
});

test('an ADMIN sees where a user is logged in, and ends one session or all', async () => {
  let sessions = [session('s-1', '10.0.0.7'), session('s-2', '8.8.8.8'), session('s-3', '::1')];
  const answers = serviceWith({
    sessions: () => sessions,
    endSession: ({ params }) => {
      sessions = sessions.filter(({ _id }) => _id !== params.sessionId);
      return { status: 'success' };
    },
    endSessions: () => {
      sessions = [];
      return { ended: 2 };
    },
  });
  const { user, service } = renderScreen('/system/users', {
    as: adminUser,
    answers: { ...answers, account: { sessions: () => [] } },
  });
  await user.click(await screen.findByLabelText('Sessions of jane'));
  expect((await screen.findByText('8.8.8.8')).parentElement?.textContent).toBe('8.8.8.8 (internet)');
  await user.click(screen.getByLabelText('End session: Firefox on Linux, 8.8.8.8'));
  await user.click(await screen.findByText('Yes'));
  await waitFor(() => expect(screen.queryByText('8.8.8.8')).toBeNull());
  await user.click(screen.getByText('End all sessions'));
  await screen.findAllByText('Are you sure to end all sessions of jane?');
  await user.click(screen.getAllByText('Yes').at(-1) as HTMLElement);
  expect(await screen.findByText('jane is not logged in anywhere.')).toBeTruthy();
  expect(service.callsOf('users.endSessions')[0]?.url).toContain('/api/user/u-jane/sessions');
});
