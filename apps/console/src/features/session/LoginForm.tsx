import { messages } from '@kaptain/contract/messages';
import type { LoginChallenge } from '@kaptain/contract/session';
import { Alert, Button } from 'antd';
import { useState } from 'react';
import { challengeOf, useLogin } from '../../api/session.ts';
import { endedSession } from '../../shared/location.ts';
import { useKeptUser } from '../../shared/session-storage.ts';
import { useVariant } from '../../variants/use-variant.ts';
import { Field } from './Field.tsx';
import styles from './Form.module.css';
import { LoginFailure } from './LoginFailure.tsx';
import { useFields } from './use-fields.ts';

const rules = {
  username: (value: string) => (value.trim() === '' ? messages.usernameRequired : undefined),
  password: (value: string) => (value === '' ? messages.passwordRequired : undefined),
};

interface Props {
  isFresh: boolean;
  /** The password is right; the account also asks for a second factor. */
  onChallenge: (challenge: LoginChallenge) => void;
}

export function LoginForm({ isFresh, onChallenge }: Props) {
  const { words } = useVariant();
  const login = useLogin();
  const isPageKept = useKeptUser() !== undefined;
  const [ended] = useState(endedSession);
  const username = isFresh ? 'admin' : (ended?.username ?? '');
  const { field, form } = useFields({ username, password: '' }, rules);

  return (
    <form
      className={styles['form']}
      aria-label="Log in"
      {...form((values) => {
        if (login.isPending) return;
        login.mutate(values, {
          onError: (error) => {
            const challenge = challengeOf(error);
            if (challenge !== undefined) onChallenge(challenge);
          },
        });
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
      {ended && (
        <Alert
          className={styles['alert'] ?? ''}
          type="info"
          showIcon
          title="Your session has ended"
          description={`It expired, or it was ended elsewhere. Log in again to go on where you were${isPageKept ? '; what you have entered is kept' : ''}.`}
        />
      )}
      <Field label="Username" autoComplete="username" autoFocus={username === ''} {...field('username')} />
      <Field
        label="Password"
        autoComplete="current-password"
        autoFocus={username !== ''}
        isSecret
        {...field('password')}
      />
      <LoginFailure login={login} />
      <Button type="primary" size="large" htmlType="submit" block loading={login.isPending}>
        Log in
      </Button>
    </form>
  );
}
