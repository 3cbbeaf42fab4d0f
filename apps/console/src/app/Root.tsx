import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { createQueryClient } from '../api/query-client.ts';
import { goToLogin, useIsAtLogin } from '../shared/location.ts';
import { clearSession, useStoredUser } from '../shared/session-storage.ts';
import { VariantContext } from '../variants/use-variant.ts';
import type { Variant } from '../variants/variant.ts';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { LoginPage, screens as registered, type Screen } from './screens.ts';
import { Theme } from './Theme.tsx';

// The router and everything behind the login are another bundle: the login screen must be there at once.
const loadShell = async () => ({ default: (await import('./Shell.tsx')).Shell });
const Shell = lazy(loadShell);

/** What the service answered is kept as long as this session is shown; nobody sees the answers to another. */
function OwnAnswers({ children }: { children: ReactNode }) {
  const [queries] = useState(createQueryClient);
  return <QueryClientProvider client={queries}>{children}</QueryClientProvider>;
}

/** The whole console: the login screen, or the shell of whoever is logged in. */
export function Root({ variant, screens = registered }: { variant: Variant; screens?: readonly Screen[] }) {
  const user = useStoredUser();
  const atLogin = useIsAtLogin();

  // Spec 4: a missing user on any page other than login clears the token and goes to /login.
  useEffect(() => {
    if (user || atLogin) return;
    clearSession();
    goToLogin();
  }, [user, atLogin]);

  // While the service checks the password, what comes after it is already on its way.
  useEffect(() => {
    if (!atLogin) return;
    // What fails here is fetched again when it is needed, and told then.
    const warmUp = () => void loadShell().catch(() => undefined);
    addEventListener('submit', warmUp, { once: true });
    return () => removeEventListener('submit', warmUp);
  }, [atLogin]);

  return (
    <VariantContext value={variant}>
      <Theme>
        <ErrorBoundary>
          <Suspense fallback={null}>
            {atLogin && (
              <OwnAnswers>
                <LoginPage />
              </OwnAnswers>
            )}
            {!atLogin && user && (
              <OwnAnswers key={user.userId}>
                <Shell user={user} screens={screens} />
              </OwnAnswers>
            )}
          </Suspense>
        </ErrorBoundary>
      </Theme>
    </VariantContext>
  );
}
