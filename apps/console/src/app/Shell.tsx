import type { SessionUser } from '@kaptain/contract/session';
import { App } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { Frame } from './Frame.tsx';
import type { Screen } from './screens.ts';
import { RegistrationContext, useRegistration } from './use-registered.ts';

/** Everything behind the login. The routes themselves depend on who is logged in: see ScreenRoutes. */
export function Shell({ user, screens }: { user: SessionUser; screens: readonly Screen[] }) {
  const registration = useRegistration(screens, user);
  const [router] = useState(() => createBrowserRouter([{ path: '*', Component: Frame }]));
  const disposal = useRef<number>(undefined);
  // React may take the shell down and up again in one go, which must not cost the router its history.
  useEffect(() => {
    clearTimeout(disposal.current);
    return () => {
      disposal.current = window.setTimeout(() => router.dispose());
    };
  }, [router]);

  return (
    <RegistrationContext value={registration}>
      <App component={false} message={{ maxCount: 3 }}>
        <RouterProvider router={router} />
      </App>
    </RegistrationContext>
  );
}
