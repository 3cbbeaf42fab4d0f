import { App, Button, Skeleton, Tag } from 'antd';
import { useState } from 'react';
import { useCreateRecoveryCodes, useRemoveTotp, useSecondFactor } from '../../api/second-factor.ts';
import { messageOf } from '../../shared/message-of.ts';
import { TimeText } from '../../shared/TimeText.tsx';
import { useConfirm } from '../../shared/use-confirm.tsx';
import styles from './Account.module.css';
import { RecoveryCodesDialog } from './RecoveryCodesDialog.tsx';
import { TotpDialog } from './TotpDialog.tsx';

/** The second factor of one's own account; absent for a service that has none. */
export function SecondFactorCard({ username }: { username: string }) {
  const { data: factor, isPending, isError, error } = useSecondFactor();
  const [isSettingUp, setSettingUp] = useState(false);
  const [codes, setCodes] = useState<readonly string[]>();
  const remove = useRemoveTotp();
  const create = useCreateRecoveryCodes();
  const confirm = useConfirm();
  const { message } = App.useApp();
  if (factor === null) return null;

  const replaceCodes = () =>
    create.mutate(undefined, {
      onSuccess: ({ recoveryCodes }) => setCodes(recoveryCodes),
      onError: (problem) => void message.error(problem.message),
    });
  const isOn = typeof factor?.totpSince === 'string';

  return (
    <section className={styles['card']} aria-labelledby="own-factor">
      <h2 id="own-factor">
        Second factor {isOn && <Tag color="success">On</Tag>}
        {factor && !isOn && <Tag>Off</Tag>}
      </h2>
      {isPending && <Skeleton active paragraph={{ rows: 3 }} title={false} />}
      {isError && <p role="alert">{messageOf(error)}</p>}
      {factor && !isOn && (
        <>
          <p className={styles['text']}>
            With an authenticator app on your phone, a stolen password is not enough to log in as you.
          </p>
          <Button type="primary" onClick={() => setSettingUp(true)}>
            Set up authenticator app
          </Button>
        </>
      )}
      {factor && isOn && (
        <>
          <dl className={styles['data']}>
            <dt>Authenticator app</dt>
            <dd>
              since <TimeText value={factor.totpSince} />
            </dd>
            <dt>Recovery codes</dt>
            <dd>{`${factor.recoveryCodes} of 10 left`}</dd>
          </dl>
          <div className={styles['buttons']}>
            <Button onClick={() => setSettingUp(true)}>Replace app</Button>
            <Button loading={create.isPending} onClick={replaceCodes}>
              New recovery codes
            </Button>
            <Button
              danger
              disabled={factor.isRequired}
              title={factor.isRequired ? 'The settings require a second factor of every ADMIN.' : undefined}
              onClick={() =>
                confirm({
                  title: 'Are you sure to remove the second factor?',
                  content: 'The password alone is enough to log in then. The recovery codes become invalid.',
                  done: 'The second factor is removed.',
                  run: () => remove.mutateAsync(),
                })
              }
            >
              Remove
            </Button>
          </div>
        </>
      )}
      {isSettingUp && <TotpDialog username={username} onClose={() => setSettingUp(false)} />}
      {codes && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(undefined)} />}
    </section>
  );
}
