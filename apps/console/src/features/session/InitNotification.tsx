import { notification } from 'antd';
import { useEffect } from 'react';
import type { InitOutcome } from './InitForm.tsx';

/** The texts of Spec 8, to the letter; the text of the success is not in SPEC. */
const notices = {
  initialized: ['success', 'Admin created', 'You can log in now.'],
  adminExist: ['info', 'Admin already exist', 'Please login and use the service with admin user!'],
  failed: ['error', 'Create admin failed', 'Please try again!'],
} as const;

export function InitNotification({ outcome }: { outcome: InitOutcome }) {
  const [api, holder] = notification.useNotification();
  useEffect(() => {
    const [kind, title, description] = notices[outcome.kind];
    api[kind]({ title, description, key: 'init' });
  }, [api, outcome]);
  return holder;
}
