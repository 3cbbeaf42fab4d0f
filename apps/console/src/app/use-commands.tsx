import { useNavigate } from 'react-router';
import { useKapsules } from '../api/kapsules.ts';
import { logOut } from '../api/session.ts';
import { useUsers } from '../api/users.ts';
import { mayAdd } from '../shared/may-add.ts';
import { useIsKnownPath } from '../shared/PageLink.tsx';
import { chooseScheme } from '../shared/scheme.ts';
import { useLeave } from '../shared/unsaved-changes.tsx';
import { askForAction } from '../shared/use-asked-action.ts';
import { useWords } from '../variants/use-variant.ts';
import { useRegistered } from './use-registered.ts';

interface Command {
  id: string;
  group: string;
  label: string;
  run(): void;
}

/** The commands of the palette: pages, actions, kapsules, people. */
export function useCommands(): Command[] {
  const { open, user } = useRegistered();
  const words = useWords();
  const navigate = useNavigate();
  const isKnown = useIsKnownPath();
  const leave = useLeave();
  const has = (path: string) => open.some((screen) => screen.path === path);
  const { data: kapsules = [] } = useKapsules();
  const { data: users = [] } = useUsers({ enabled: has('/system/users') });

  const pages = open
    .filter(({ path }) => !path.includes(':'))
    .map((screen) => ({
      id: screen.path,
      group: 'Pages',
      label: screen.title(words),
      run: () => void navigate(screen.path),
    }));
  const details = kapsules.map(({ _id, name }) => {
    const page = `/data/kapsules/${encodeURIComponent(_id)}`;
    const target = isKnown(page) ? page : `/data/kapsules?q=${encodeURIComponent(name)}`;
    return { id: _id, group: words.kapsule.Many, label: name, run: () => void navigate(target) };
  });
  const people = users.map(({ userId, username }) => ({
    id: userId,
    group: 'Users',
    label: username,
    run: () => void navigate(`/system/users?q=${encodeURIComponent(username)}`),
  }));
  const mainActions = [
    ...(mayAdd(user) ? [{ path: '/data/kapsules', label: `Add ${words.kapsule.many}` }] : []),
    ...(user.role === 'ADMIN' ? [{ path: '/system/logs', label: 'Start Reload' }] : []),
    { path: '/system/users', label: 'Create User' },
    { path: '/system/groups', label: 'Create Group' },
    { path: '/data/apikey', label: 'Create Api Key' },
  ];
  const actions = [
    ...mainActions
      .filter(({ path }) => has(path))
      .map(({ path, label }) => ({
        id: label,
        group: 'Actions',
        label,
        run: () => void navigate(path, { state: askForAction }),
      })),
    { id: 'light', group: 'Actions', label: 'Use the light scheme', run: () => chooseScheme('light') },
    { id: 'dark', group: 'Actions', label: 'Use the dark scheme', run: () => chooseScheme('dark') },
    { id: 'system', group: 'Actions', label: 'Follow the system scheme', run: () => chooseScheme('system') },
    { id: 'logout', group: 'Actions', label: 'Logout', run: () => leave(logOut) },
  ];
  return [...pages, ...actions, ...details, ...people];
}

const SHOWN = 12;

/** The first commands that contain every typed word. */
export function matchingCommands(commands: readonly Command[], search: string): Command[] {
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = commands.filter(({ label, group }) => {
    const text = `${label} ${group}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
  return found.slice(0, SHOWN);
}
