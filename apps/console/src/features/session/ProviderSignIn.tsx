import { Alert, Button } from 'antd';
import { useEffect, useState } from 'react';
import { useProviderReturn } from '../../api/provider-window.ts';
import { useFinishProvider, useStartProvider } from '../../api/session.ts';
import { endedSession } from '../../shared/location.ts';
import { ProviderWindowStatus } from '../../shared/ProviderWindowStatus.tsx';
import { takeSignInCode } from '../../shared/sign-in-secret.ts';
import styles from './Form.module.css';

/** The button that leads to the provider of the company, and the end of a sign-in when the browser comes back. */
export function ProviderSignIn({ name }: { name: string }) {
  const start = useStartProvider();
  const { mutate: finish, isPending: isFinishing, error: refusal } = useFinishProvider();
  const inWindow = useProviderReturn();
  // The session has ended on a page that may have unsaved values: the sign-in opens a window, so that the page stays.
  const [hasEnded] = useState(() => endedSession() !== undefined);
  const [code] = useState(takeSignInCode);
  useEffect(() => {
    if (code !== undefined) finish(code);
  }, [code, finish]);
  const problem = start.error ?? refusal ?? inWindow.error;
  const isPending = start.isPending || isFinishing || inWindow.isPending;

  return (
    <div className={styles['provider']}>
      <p className={styles['or']}>or</p>
      {problem && <Alert className={styles['alert'] ?? ''} type="error" showIcon title={problem.message} />}
      <ProviderWindowStatus isWaiting={inWindow.isWaiting} link={inWindow.link} />
      <Button
        size="large"
        block
        loading={isPending}
        onClick={() => {
          if (isPending) return;
          if (hasEnded) inWindow.begin();
          else start.mutate();
        }}
      >
        {`Sign in with ${name}`}
      </Button>
    </div>
  );
}
