import { Alert, Button, Input, type InputRef } from 'antd';
import { type SubmitEvent, useId, useRef, useState } from 'react';
import { useProve, useProveWithPasskey } from '../api/second-factor.ts';
import type { ProofMethod } from '../shared/identity.ts';
import styles from './ProofDialog.module.css';

interface Props {
  methods: readonly ProofMethod[];
  onAnswer: (isProven: boolean) => void;
}

const fields = {
  code: { label: 'Code', hint: 'The six digits of your authenticator app, or a recovery code.' },
  recoveryCode: { label: 'Recovery code', hint: 'One of the codes that you have stored; each works once.' },
  password: { label: 'Password', hint: 'The password of your account.' },
} as const;

/** The ways in which a user shows again who they are. */
export function ProofForm({ methods, onAnswer }: Props) {
  const prove = useProve();
  const byPasskey = useProveWithPasskey();
  const [text, setText] = useState('');
  const field = useRef<InputRef>(null);
  const id = useId();
  const hasPasskey = methods.includes('passkey');
  const typed = (['code', 'recoveryCode', 'password'] as const).find((method) => methods.includes(method));
  const isBusy = prove.isPending || byPasskey.isPending;
  const failure = byPasskey.error ?? prove.error;

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy || text.trim() === '') return;
    byPasskey.reset();
    prove.mutate(typed === 'password' ? { password: text } : { code: text }, {
      onSuccess: () => onAnswer(true),
      onError: () => field.current?.select(),
    });
  };
  const usePasskey = () => {
    if (isBusy) return;
    prove.reset();
    byPasskey.mutate(undefined, { onSuccess: () => onAnswer(true) });
  };
  const common = {
    id,
    ref: field,
    value: text,
    onChange: ({ target }: { target: { value: string } }) => setText(target.value),
    // The first control of the dialog, unless that is the passkey of a user without an app.
    'data-first': !hasPasskey || typed === 'code' || undefined,
  };

  return (
    <form onSubmit={submit}>
      <p className={styles['why']}>This action asks again after 15 minutes. Then it goes on by itself.</p>
      {failure && <Alert className={styles['alert'] ?? ''} type="error" showIcon title={failure.message} />}
      {hasPasskey && (
        <Button
          type="primary"
          block
          loading={byPasskey.isPending}
          onClick={usePasskey}
          data-first={typed === 'code' ? undefined : true}
        >
          Use a passkey
        </Button>
      )}
      {hasPasskey && typed && <p className={styles['or']}>or</p>}
      {typed && (
        <>
          <label htmlFor={id}>{fields[typed].label}</label>
          {typed === 'password' ? (
            <Input.Password {...common} autoComplete="current-password" />
          ) : (
            <Input {...common} autoComplete="one-time-code" />
          )}
          <p className={styles['hint']}>{fields[typed].hint}</p>
        </>
      )}
      <div className={styles['buttons']}>
        <Button onClick={() => onAnswer(false)}>Cancel</Button>
        {typed && (
          <Button type={hasPasskey ? 'default' : 'primary'} htmlType="submit" loading={prove.isPending}>
            Confirm
          </Button>
        )}
      </div>
    </form>
  );
}
