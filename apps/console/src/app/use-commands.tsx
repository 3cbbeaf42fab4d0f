import { useNavigate } from 'react-router';
import { useKapsules } from '../api/kapsules.ts';
import { logOut } from '../api/session.ts';
import { useIsKnownPath } from '../shared/PageLink.tsx';
import { chooseScheme } from '../shared/scheme.ts';
import { useWords } from '../variants/use-variant.ts';
import { useRegistered } from './use-registered.ts';

export interface Command {
  id: string;
  group: string;
  label: string;
  run(): void;
}

/** The commands of the palette: pages, kapsules, actions. */
export function useCommands(): Command[] {
  const { open } = useRegistered();
  const words = useWords();
  const navigate = useNavigate();
  const isKnown = useIsKnownPath();
  const { data: kapsules = [] } = useKapsules();

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
  const actions = [
    { id: 'light', group: 'Actions', label: 'Use the light scheme', run: () => chooseScheme('light') },
    { id: 'dark', group: 'Actions', label: 'Use the dark scheme', run: () => chooseScheme('dark') },
    { id: 'system', group: 'Actions', label: 'Follow the system scheme', run: () => chooseScheme('system') },
    { id: 'logout', group: 'Actions', label: 'Logout', run: logOut },
  ];
  return [...pages, ...details, ...actions];
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
