import { Button, Skeleton, Tag } from 'antd';
import { useState } from 'react';
import { useSecondFactor } from '../../api/second-factor.ts';
import { messageOf } from '../../shared/message-of.ts';
import styles from './Account.module.css';
import { FactorSummary } from './FactorSummary.tsx';
import { PasskeyDialog } from './PasskeyDialog.tsx';
import { TotpDialog } from './TotpDialog.tsx';

/** The second factor of one's own account; absent for a service that has none. */
export function SecondFactorCard({ username }: { username: string }) {
  const { data: factor, isPending, isError, isFetching, error, refetch } = useSecondFactor();
  const [adding, setAdding] = useState<'app' | 'passkey'>();
  if (factor === null) return null;
  const isOn = factor && (factor.totpSince !== null || factor.passkeys.length > 0);
  const close = () => setAdding(undefined);

  return (
    <section className={styles['card']} aria-labelledby="own-factor">
      <h2 id="own-factor">
        Second factor {isOn && <Tag color="success">On</Tag>}
        {isOn === false && <Tag>Off</Tag>}
      </h2>
      {isPending && <Skeleton active paragraph={{ rows: 3 }} title={false} />}
      {isError && (
        <>
          <p role="alert">{messageOf(error)}</p>
          <div className={styles['buttons']}>
            <Button loading={isFetching} onClick={() => void refetch()}>
              Retry
            </Button>
          </div>
        </>
      )}
      {factor && <FactorSummary factor={factor} onAdd={setAdding} />}
      {adding === 'app' && <TotpDialog username={username} onClose={close} />}
      {adding === 'passkey' && <PasskeyDialog onClose={close} />}
    </section>
  );
}
