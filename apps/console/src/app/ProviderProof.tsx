import { Alert, Button } from 'antd';
import { useProviderProof } from '../api/provider-proof.ts';
import { useSignInOptions } from '../api/session.ts';
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
      <p className={styles['waiting']} role="status">
        {proof.isWaiting && proof.link === undefined && 'Waiting for the sign-in in the other window …'}
        {proof.link !== undefined && (
          <>
            Your browser has blocked the window.{' '}
            <a href={proof.link} target="_blank" rel="noreferrer">
              Open it here
            </a>
          </>
        )}
      </p>
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
