import Input from 'antd/es/input/Input';
import Password from 'antd/es/input/Password';
import { useId } from 'react';
import styles from './Form.module.css';

interface Props {
  name: string;
  label: string;
  autoComplete: string;
  autoFocus?: boolean;
  disabled?: boolean;
  value: string;
  onChange?: (value: string) => void;
  error?: string | undefined;
  help?: string;
  isSecret?: boolean;
}

/**
 * A labelled text field with its message below.
 * Not Ant Design's Form, with which the login screen would exceed its 200 kB.
 */
export function Field({ label, value, onChange, error, help, isSecret = false, ...rest }: Props) {
  const id = useId();
  const Control = isSecret ? Password : Input;
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{label}</label>
      <Control
        id={id}
        size="large"
        value={value}
        onChange={(event) => onChange?.(event.target.value)}
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-hint`}
        {...(error !== undefined && { status: 'error' as const })}
        {...rest}
      />
      <p
        id={`${id}-hint`}
        className={styles['hint']}
        data-error={error !== undefined}
        role={error ? 'alert' : undefined}
      >
        {error ?? help}
      </p>
    </div>
  );
}
