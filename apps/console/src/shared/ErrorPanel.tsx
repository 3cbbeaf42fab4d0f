import { ApiError } from '@kaptain/contract/client';
import { Button } from 'antd';
import { CopyText } from './CopyText.tsx';
import styles from './StatePanel.module.css';

interface Props {
  /** The failure in a sentence, e.g. "The list could not be loaded". */
  title: string;
  error: unknown;
  onRetry: () => void;
}

function advice(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Try again; if it happens again, tell your administrator.';
  if (error.status === 0) return 'Check your network connection and that the service is running.';
  if (error.status === 403) return 'Ask an administrator for the permission.';
  if (error.status === 404) return 'It may have been deleted, or it is not shared with you.';
  if (error.status === 429) return 'Wait a moment before you try again.';
  return 'Try again in a moment. If it goes on, give the request id to your administrator.';
}

/** The failure, the remedy, the id to look for in the log, and Retry. */
export function ErrorPanel({ title, error, onRetry }: Props) {
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <section className={styles['panel']} role="alert" data-kind="error">
      <h2>{title}</h2>
      <p>{error instanceof Error ? error.message : String(error)}</p>
      <p className={styles['advice']}>{advice(error)}</p>
      {requestId && (
        <p className={styles['advice']}>
          Request id <CopyText text={requestId} />
        </p>
      )}
      <Button onClick={onRetry}>Retry</Button>
    </section>
  );
}
