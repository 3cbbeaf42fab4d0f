import { createContext, type ReactNode, useContext } from 'react';
import { Link, matchPath, parsePath } from 'react-router';

/** The route patterns that exist for this user. */
export const KnownPathsContext = createContext<readonly string[]>([]);

export function useIsKnownPath(): (path: string) => boolean {
  const knownPaths = useContext(KnownPathsContext);
  return (path) => knownPaths.some((pattern) => matchPath(pattern, parsePath(path).pathname ?? '') !== null);
}

/** A link when there is a screen for it, otherwise the bare text. */
export function PageLink({ to, children }: { to: string; children: ReactNode }) {
  const isKnown = useIsKnownPath();
  return isKnown(to) ? <Link to={to}>{children}</Link> : children;
}
