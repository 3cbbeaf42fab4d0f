import { Suspense } from 'react';
import { Navigate, Route, Routes, useLocation } from 'react-router';
import { useMustSetUpFactor } from '../shared/identity.ts';
import { PageSkeleton } from '../shared/PageSkeleton.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { NotFoundPage } from './NotFoundPage.tsx';
import { RequiredFactorPage } from './screens.ts';
import { useRegistered } from './use-registered.ts';
import { WaitingForCode } from './WaitingForCode.tsx';

/** Spec 2: only the screens open to this user are registered; any other address is not found. */
export function ScreenRoutes() {
  const { open, isPending } = useRegistered();
  const { pathname } = useLocation();
  const mustSetUpFactor = useMustSetUpFactor();
  return (
    <ErrorBoundary key={pathname}>
      <Suspense
        fallback={
          <WaitingForCode>
            <PageSkeleton />
          </WaitingForCode>
        }
      >
        {mustSetUpFactor ? (
          <RequiredFactorPage />
        ) : (
          <Routes>
            <Route path="/" element={<Navigate to="/data/kapsules" replace />} />
            {open.map(({ path, Page }) => (
              <Route key={path} path={path} element={<Page />} />
            ))}
            <Route path="*" element={isPending ? <PageSkeleton /> : <NotFoundPage />} />
          </Routes>
        )}
      </Suspense>
    </ErrorBoundary>
  );
}
