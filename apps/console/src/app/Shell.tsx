import type { SessionUser } from '@kaptain/contract/session';
import { App } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { Frame } from './Frame.tsx';
import { screens as registered, type Screen } from './screens.ts';
import { RegistrationContext, useRegistration } from './use-registered.ts';

/** The screens behind the login; ScreenRoutes registers the routes of the logged-in user. */
export function Shell({ user, screens = registered }: { user: SessionUser; screens?: readonly Screen[] }) {
  const registration = useRegistration(screens, user);
  const [router] = useState(() => createBrowserRouter([{ path: '*', Component: Frame }]));
  const disposal = useRef<number>(undefined);
  // Strict Mode unmounts and mounts the shell once more; the router with its history survives that.
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
