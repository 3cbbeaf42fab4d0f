import { Suspense } from 'react';
import { lazyPart } from '../../api/load-code.ts';
import type { InitOutcome } from './InitForm.tsx';

// Loaded on demand: notifications appear once per installation, and would make the login screen larger.
const Notification = lazyPart('InitNotification', () => import('./InitNotification.tsx'));

export function InitNotice({ outcome }: { outcome: InitOutcome }) {
  return (
    <Suspense fallback={null}>
      <Notification outcome={outcome} />
    </Suspense>
  );
}
