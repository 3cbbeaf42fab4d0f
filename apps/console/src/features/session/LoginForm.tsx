import { messages } from '@kaptain/contract/messages';
import { Alert, Button } from 'antd';
import { useLogin } from '../../api/session.ts';
import { useVariant } from '../../variants/use-variant.ts';
import { Field } from './Field.tsx';
import styles from './Form.module.css';
import { useFields } from './use-fields.ts';

const rules = {
  username: (value: string) => (value.trim() === '' ? messages.usernameRequired : undefined),
  password: (value: string) => (value === '' ? messages.passwordRequired : undefined),
};

export function LoginForm({ isFresh }: { isFresh: boolean }) {
  const { words } = useVariant();
  const login = useLogin();
  const { field, form } = useFields({ username: isFresh ? 'admin' : '', password: '' }, rules);

  return (
    <form
      className={styles['form']}
      aria-label="Log in"
      {...form((values) => {
        if (!login.isPending) login.mutate(values);
      })}
    >
      <div className={styles['heading']}>
        <h1>Log in</h1>
        <p>
          {isFresh
            ? 'The admin account is ready. Log in with the password you have just chosen.'
            : `Manage ${words.kapsule.many}, people and settings.`}
        </p>
      </div>
      <Field label="Username" autoComplete="username" autoFocus={!isFresh} {...field('username')} />
      <Field
        label="Password"
        autoComplete="current-password"
        autoFocus={isFresh}
        isSecret
        {...field('password')}
      />
      {login.isError && (
        <Alert
          className={styles['alert'] ?? ''}
          type="error"
          showIcon
          title={login.error.message}
          closable={{ onClose: () => login.reset(), 'aria-label': 'Close the message' }}
        />
      )}
      <Button type="primary" size="large" htmlType="submit" block loading={login.isPending}>
        Log in
      </Button>
    </form>
  );
}
