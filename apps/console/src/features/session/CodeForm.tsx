import { ApiError } from '@kaptain/contract/client';
import { Button } from 'antd';
import { useSecondFactorLogin } from '../../api/session.ts';
import { Field } from './Field.tsx';
import styles from './Form.module.css';
import { LoginFailure } from './LoginFailure.tsx';
import { useFields } from './use-fields.ts';

const rules = {
  code: (value: string) => (value.trim() === '' ? 'Please input your code!' : undefined),
};

/** The second step of a login. */
export function CodeForm({ challenge, onBack }: { challenge: string; onBack: () => void }) {
  const login = useSecondFactorLogin();
  const { field, form } = useFields({ code: '' }, rules);
  const isOver = login.error instanceof ApiError && login.error.code === 'SIGN_IN_EXPIRED';

  return (
    <form
      className={styles['form']}
      aria-label="Enter your code"
      {...form(({ code }) => {
        if (!login.isPending) login.mutate({ challenge, code });
      })}
    >
      <div className={styles['heading']}>
        <h1>Enter your code</h1>
        <p>Your password is right. This account also asks for a second factor.</p>
      </div>
      <Field
        label="Code"
        autoComplete="one-time-code"
        autoFocus
        help="The six digits of your authenticator app, or a recovery code."
        {...field('code')}
      />
      <LoginFailure login={login} />
      <Button type="primary" size="large" htmlType="submit" block loading={login.isPending} disabled={isOver}>
        Log in
      </Button>
      <Button type="link" className={styles['back'] ?? ''} onClick={onBack}>
        Back to the password
      </Button>
    </form>
  );
}
