import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { createQueryClient } from '../api/query-client.ts';
import { goToLogin, useIsAtLogin } from '../shared/location.ts';
import { clearSession, useStoredUser } from '../shared/session-storage.ts';
import { VariantContext } from '../variants/use-variant.ts';
import type { Variant } from '../variants/variant.ts';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { LoginPage, screens as registered, type Screen } from './screens.ts';
import { Theme } from './Theme.tsx';

// The router and everything behind the login are another bundle: the login screen must be there at once.
const Shell = lazy(async () => ({ default: (await import('./Shell.tsx')).Shell }));

/** The whole console: the login screen, or the shell of whoever is logged in. */
export function Root({ variant, screens = registered }: { variant: Variant; screens?: readonly Screen[] }) {
  const [queries] = useState(createQueryClient);
  const user = useStoredUser();
  const atLogin = useIsAtLogin();

  // Spec 4: a missing user on any page other than login clears the token and goes to /login.
  useEffect(() => {
    if (user) return;
    queries.clear();
    if (atLogin) return;
    clearSession();
    goToLogin({ comeBack: true });
  }, [user, atLogin, queries]);

  return (
    <VariantContext value={variant}>
      <QueryClientProvider client={queries}>
        <Theme>
          <ErrorBoundary>
            <Suspense fallback={null}>
              {atLogin && <LoginPage />}
              {!atLogin && user && <Shell user={user} screens={screens} />}
            </Suspense>
          </ErrorBoundary>
        </Theme>
      </QueryClientProvider>
    </VariantContext>
  );
}
