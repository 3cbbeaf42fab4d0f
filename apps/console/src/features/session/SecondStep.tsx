import { ApiError } from '@kaptain/contract/client';
import type { LoginChallenge } from '@kaptain/contract/session';
import { Button } from 'antd';
import { usePasskeyLogin, useSecondFactorLogin } from '../../api/session.ts';
import { Field } from './Field.tsx';
import styles from './Form.module.css';
import { LoginFailure } from './LoginFailure.tsx';
import { useFields } from './use-fields.ts';

const rules = {
  code: (value: string) => (value.trim() === '' ? 'Please input your code!' : undefined),
};
const isExpired = (error: unknown) => error instanceof ApiError && error.code === 'SIGN_IN_EXPIRED';

/** The second step of a login: a passkey, a code, or both to choose from. */
export function SecondStep({ challenge, methods, onBack }: LoginChallenge & { onBack: () => void }) {
  const byCode = useSecondFactorLogin();
  const byPasskey = usePasskeyLogin();
  const { field, form } = useFields({ code: '' }, rules);
  const hasPasskey = methods.includes('passkey');
  const hasApp = methods.includes('code');
  const takesCode = hasApp || methods.includes('recoveryCode');
  const isBusy = byCode.isPending || byPasskey.isPending;
  const isOver = isExpired(byCode.error) || isExpired(byPasskey.error);
  const title = hasPasskey ? 'Confirm that it is you' : 'Enter your code';

  return (
    <form
      className={styles['form']}
      aria-label={title}
      {...form(({ code }) => {
        if (isBusy) return;
        byPasskey.reset();
        byCode.mutate({ challenge, code });
      })}
    >
      <div className={styles['heading']}>
        <h1>{title}</h1>
        <p>Your password is right. This account also asks for a second factor.</p>
      </div>
      <LoginFailure login={byPasskey.error ? byPasskey : byCode} />
      {hasPasskey && (
        <Button
          type="primary"
          size="large"
          block
          autoFocus={!hasApp}
          loading={byPasskey.isPending}
          disabled={isOver}
          onClick={() => {
            if (isBusy) return;
            byCode.reset();
            byPasskey.mutate(challenge);
          }}
        >
          Use a passkey
        </Button>
      )}
      {hasPasskey && takesCode && <p className={styles['otherwise']}>or</p>}
      {takesCode && (
        <>
          <Field
            label={hasApp ? 'Code' : 'Recovery code'}
            autoComplete="one-time-code"
            autoFocus={hasApp || !hasPasskey}
            help={
              hasApp
                ? 'The six digits of your authenticator app, or a recovery code.'
                : 'One of the codes that you have stored; each works once.'
            }
            {...field('code')}
          />
          <Button
            type={hasPasskey ? 'default' : 'primary'}
            size="large"
            htmlType="submit"
            block
            className={styles['afterHelp'] ?? ''}
            loading={byCode.isPending}
            disabled={isOver}
          >
            Log in
          </Button>
        </>
      )}
      <Button type="link" className={styles['back'] ?? ''} onClick={onBack}>
        Back to the password
      </Button>
    </form>
  );
}
