import { Alert, Button } from 'antd';
import { useEffect, useState } from 'react';
import { useFinishProvider, useStartProvider } from '../../api/session.ts';
import { takeSignInCode } from '../../shared/sign-in-secret.ts';
import styles from './Form.module.css';

/** The button that leads to the provider of the company, and the end of a sign-in when the browser comes back. */
export function ProviderSignIn({ name }: { name: string }) {
  const start = useStartProvider();
  const { mutate: finish, isPending: isFinishing, error: refusal } = useFinishProvider();
  const [code] = useState(takeSignInCode);
  useEffect(() => {
    if (code !== undefined) finish(code);
  }, [code, finish]);
  const problem = start.error ?? refusal;

  return (
    <div className={styles['provider']}>
      <p className={styles['or']}>or</p>
      {problem && <Alert className={styles['alert'] ?? ''} type="error" showIcon title={problem.message} />}
      <Button
        size="large"
        block
        loading={start.isPending || isFinishing}
        onClick={() => {
          if (!start.isPending) start.mutate();
        }}
      >
        {`Sign in with ${name}`}
      </Button>
    </div>
  );
}
