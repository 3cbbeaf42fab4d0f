import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { lazyPart } from '../api/load-code.ts';
import { createQueryClient } from '../api/query-client.ts';
import { goToLogin, useIsAtLogin } from '../shared/location.ts';
import { clearSession, useKeptUser, useStoredUser } from '../shared/session-storage.ts';
import { VariantContext } from '../variants/use-variant.ts';
import type { Variant } from '../variants/variant.ts';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { LoginPage } from './login.ts';
import type { Screen } from './screens.ts';
import { Theme } from './Theme.tsx';
import { useKeptFocus } from './use-kept-focus.ts';
import { WaitingForCode } from './WaitingForCode.tsx';

// The shell with the router is loaded on demand, so that the login screen loads fast.
const Shell = lazyPart('Shell', () => import('./Shell.tsx'));

/** Gives each session a query cache of its own: no user sees cached answers of another. */
function OwnAnswers({ children }: { children: ReactNode }) {
  const [queries] = useState(createQueryClient);
  // Their own time is longer than the session.
  useEffect(() => () => queries.clear(), [queries]);
  return <QueryClientProvider client={queries}>{children}</QueryClientProvider>;
}

/** The login screen. The screens behind it keep their focus by themselves. */
function Login() {
  useKeptFocus();
  return <LoginPage />;
}

/** The whole console: the login screen, or the shell of the logged-in user. */
export function Root({ variant, screens }: { variant: Variant; screens?: readonly Screen[] }) {
  const user = useStoredUser();
  const kept = useKeptUser();
  const atLogin = useIsAtLogin();
  const shown = atLogin ? kept : user;

  // Spec 4: a missing user on any page other than login clears the token and goes to /login.
  useEffect(() => {
    if (user || atLogin) return;
    clearSession();
    goToLogin();
  }, [user, atLogin]);

  // Loads the shell while the service checks the password.
  useEffect(() => {
    if (!atLogin) return;
    // A failure here is ignored: the shell is loaded again when it is shown, and reports it then.
    const warmUp = () => void Shell.prefetch?.().catch(() => undefined);
    addEventListener('submit', warmUp, { once: true });
    return () => removeEventListener('submit', warmUp);
  }, [atLogin]);

  return (
    <VariantContext value={variant}>
      <Theme>
        <ErrorBoundary>
          <Suspense fallback={<WaitingForCode />}>
            {atLogin && (
              <OwnAnswers>
                <Login />
              </OwnAnswers>
            )}
            {shown && (
              <OwnAnswers key={shown.userId}>
                <Shell user={shown} {...(screens && { screens })} isHidden={atLogin} />
              </OwnAnswers>
            )}
          </Suspense>
        </ErrorBoundary>
      </Theme>
    </VariantContext>
  );
}
