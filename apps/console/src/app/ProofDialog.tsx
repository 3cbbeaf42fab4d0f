import { Alert, Button, Input, type InputRef, Modal } from 'antd';
import { type SubmitEvent, useEffect, useId, useRef, useState } from 'react';
import { useProve } from '../api/second-factor.ts';
import { useProofQuestion } from '../shared/identity.ts';
import styles from './ProofDialog.module.css';
import { ProviderProof } from './ProviderProof.tsx';

/** Asks who the user is, when the service wants a recent proof before a sensitive action. */
export function ProofDialog() {
  const question = useProofQuestion();
  const prove = useProve();
  const [text, setText] = useState('');
  const field = useRef<InputRef>(null);
  const signIn = useRef<HTMLButtonElement>(null);
  const id = useId();
  const isCode = question?.methods.includes('code') ?? false;
  const label = isCode ? 'Code' : 'Password';

  // The waiting call gets its refusal when the shell goes away.
  useEffect(() => () => question?.answer(false), [question]);

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (prove.isPending || text.trim() === '') return;
    prove.mutate(isCode ? { code: text } : { password: text }, {
      onSuccess: () => question?.answer(true),
      onError: () => field.current?.select(),
    });
  };

  return (
    <Modal
      open={question !== undefined}
      title="Confirm that it is you"
      footer={null}
      width={420}
      // The password must not stay in the page.
      destroyOnHidden
      mask={{ closable: false }}
      onCancel={() => question?.answer(false)}
      afterOpenChange={(isOpen) => {
        if (isOpen) (field.current ?? signIn.current)?.focus();
        else {
          setText('');
          prove.reset();
        }
      }}
    >
      {question?.methods.includes('signIn') ? (
        <ProviderProof onAnswer={question.answer} button={signIn} />
      ) : (
        <form onSubmit={submit}>
          <p className={styles['why']}>This action asks again after 15 minutes. Then it goes on by itself.</p>
          <label htmlFor={id}>{label}</label>
          {isCode ? (
            <Input
              id={id}
              ref={field}
              autoComplete="one-time-code"
              value={text}
              onChange={({ target }) => setText(target.value)}
            />
          ) : (
            <Input.Password
              id={id}
              ref={field}
              autoComplete="current-password"
              value={text}
              onChange={({ target }) => setText(target.value)}
            />
          )}
          <p className={styles['hint']}>
            {isCode
              ? 'The six digits of your authenticator app, or a recovery code.'
              : 'The password of your account.'}
          </p>
          {prove.isError && (
            <Alert className={styles['alert'] ?? ''} type="error" showIcon title={prove.error.message} />
          )}
          <div className={styles['buttons']}>
            <Button onClick={() => question?.answer(false)}>Cancel</Button>
            <Button type="primary" htmlType="submit" loading={prove.isPending}>
              Confirm
            </Button>
          </div>
        </form>
      )}
    </Modal>
  );
}
