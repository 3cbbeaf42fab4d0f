import { Alert, Button } from 'antd';
import { useProviderProof } from '../api/provider-window.ts';
import { useSignInOptions } from '../api/session.ts';
import { ProviderWindowStatus } from '../shared/ProviderWindowStatus.tsx';
import styles from './ProofDialog.module.css';

/** The proof of a user who has signed in with the provider: they sign in there again, in a window of its own. */
export function ProviderProof({ onAnswer }: { onAnswer: (isProven: boolean) => void }) {
  const { data: options } = useSignInOptions();
  const proof = useProviderProof(() => onAnswer(true));
  const name = options?.provider ?? 'the provider';
  return (
    <>
      <p className={styles['why']}>
        This action asks again after 15 minutes. Sign in again in a new window; then the action goes on by
        itself, and this page keeps what you have entered.
      </p>
      <ProviderWindowStatus isWaiting={proof.isWaiting} link={proof.link} />
      {proof.error && (
        <Alert className={styles['alert'] ?? ''} type="error" showIcon title={proof.error.message} />
      )}
      <div className={styles['buttons']}>
        <Button onClick={() => onAnswer(false)}>Cancel</Button>
        <Button data-first type="primary" loading={proof.isPending} onClick={() => proof.begin()}>
          {`Sign in with ${name}`}
        </Button>
      </div>
    </>
  );
}
