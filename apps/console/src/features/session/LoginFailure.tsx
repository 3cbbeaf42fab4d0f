import { Alert } from 'antd';
import styles from './Form.module.css';

/** Why a login was refused; closing it forgets the attempt. */
export function LoginFailure({ login }: { login: { error: Error | null; reset: () => void } }) {
  if (!login.error) return null;
  return (
    <Alert
      className={styles['alert'] ?? ''}
      type="error"
      showIcon
      title={login.error.message}
      closable={{ onClose: () => login.reset(), 'aria-label': 'Close the message' }}
    />
  );
}
