import { lazy, Suspense } from 'react';
import type { InitOutcome } from './InitForm.tsx';

// Notifications are needed once in the life of an installation, so the login screen doesn't carry them.
const Notification = lazy(async () => ({
  default: (await import('./InitNotification.tsx')).InitNotification,
}));

export function InitNotice({ outcome }: { outcome: InitOutcome }) {
  return (
    <Suspense fallback={null}>
      <Notification outcome={outcome} />
    </Suspense>
  );
}
