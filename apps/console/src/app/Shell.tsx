import type { SessionUser } from '@kaptain/contract/session';
import { Provider as MotionProvider } from '@rc-component/motion';
import { App } from 'antd';
import { Activity, type ReactNode, useDeferredValue, useEffect, useRef, useState } from 'react';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { useMediaQuery } from '../shared/use-media-query.ts';
import { Frame } from './Frame.tsx';
import { screens as registered, type Screen } from './screens.ts';
import { RegistrationContext, useRegistration } from './use-registered.ts';

interface Props {
  user: SessionUser;
  screens?: readonly Screen[];
  /** Behind the login screen the state of the forms is kept, and nothing calls the service. */
  isHidden: boolean;
}

/** The screens behind the login. */
export function Shell({ user, screens = registered, isHidden }: Props) {
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
    <MotionProvider motion={useMayMove(isHidden)}>
      <Activity mode={isHidden ? 'hidden' : 'visible'}>
        <Registered user={user} screens={screens}>
          <App component={false} message={{ maxCount: 3 }}>
            <RouterProvider router={router} />
          </App>
        </Registered>
      </Activity>
    </MotionProvider>
  );
}

/** False in the render that shows a hidden shell again: antd would animate its open dialogs as if new, and throws without their elements. */
function useMayMove(isHidden: boolean): boolean {
  const wantsStillness = useMediaQuery('(prefers-reduced-motion: reduce)');
  const wasHidden = useDeferredValue(isHidden);
  return !isHidden && !wasHidden && !wantsStillness;
}

/** ScreenRoutes registers the routes of the logged-in user. */
function Registered({
  user,
  screens,
  children,
}: Required<Omit<Props, 'isHidden'>> & { children: ReactNode }) {
  return <RegistrationContext value={useRegistration(screens, user)}>{children}</RegistrationContext>;
}
