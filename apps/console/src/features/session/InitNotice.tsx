import { lazy, Suspense } from 'react';
import type { InitOutcome } from './InitForm.tsx';

// Loaded on demand: notifications appear once per installation, and would make the login screen larger.
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
