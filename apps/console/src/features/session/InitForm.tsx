import { ApiError } from '@kaptain/contract/client';
import { Alert, Button } from 'antd';
import { useState } from 'react';
import { useInitAdmin } from '../../api/session.ts';
import { confirmationProblem, passwordProblem } from '../../shared/password-rules.ts';
import { useVariant } from '../../variants/use-variant.ts';
import { Field } from './Field.tsx';
import styles from './Form.module.css';
import { useFields } from './use-fields.ts';

/** The outcome of an attempt to create the first admin. */
export interface InitOutcome {
  kind: 'initialized' | 'adminExist' | 'failed';
}

const rules = {
  password: passwordProblem,
  confirmation: (value: string, { password }: Record<'password', string>) =>
    confirmationProblem(value, password),
};

export function InitForm({ onOutcome }: { onOutcome: (outcome: InitOutcome) => void }) {
  const { words } = useVariant();
  const init = useInitAdmin();
  const { field, form } = useFields({ password: '', confirmation: '', setupToken: '' }, rules);
  const [needsToken, setNeedsToken] = useState(false);

  return (
    <form
      className={styles['form']}
      aria-label="Create the admin account"
      {...form(({ password, setupToken }) => {
        if (init.isPending) return;
        init.mutate(
          { password, setupToken },
          {
            onSuccess: ({ status }) => onOutcome({ kind: status === 'adminExist' ? status : 'initialized' }),
            onError: (error) => {
              if (error instanceof ApiError && error.code === 'SETUP_TOKEN_REQUIRED') setNeedsToken(true);
              onOutcome({ kind: 'failed' });
            },
          },
        );
      })}
    >
      <div className={styles['heading']}>
        <h1>Create the admin account</h1>
        <p>{`${words.service} has no administrator yet. This account can do everything; keep its password safe.`}</p>
      </div>
      <Field label="Username" name="username" autoComplete="username" value="admin" disabled />
      <Field
        label="Password"
        autoComplete="new-password"
        autoFocus
        isSecret
        help="At least 8 characters; a short sentence is a good password."
        {...field('password')}
      />
      <Field label="Password again" autoComplete="new-password" isSecret {...field('confirmation')} />
      {needsToken && (
        <Field
          label="Setup token"
          autoComplete="off"
          isSecret
          help="The SETUP_TOKEN this service was started with."
          {...field('setupToken')}
        />
      )}
      {init.isError && (
        <Alert className={styles['alert'] ?? ''} type="error" showIcon title={init.error.message} />
      )}
      <Button type="primary" size="large" htmlType="submit" block loading={init.isPending}>
        Create admin
      </Button>
    </form>
  );
}
