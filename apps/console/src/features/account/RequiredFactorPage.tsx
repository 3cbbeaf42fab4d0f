import { Alert, Button } from 'antd';
import { useState } from 'react';
import { useFactorChanged, useIsAddingFactor } from '../../api/second-factor.ts';
import { PageHeader } from '../../shared/PageHeader.tsx';
import { useScreenUser } from '../../shared/session-storage.ts';
import styles from './Account.module.css';
import { PasskeySetUp } from './PasskeySetUp.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import { TotpSetUp } from './TotpSetUp.tsx';

/** For an ADMIN without the second factor that the settings require: the service refuses all other calls. */
export function RequiredFactorPage() {
  const me = useScreenUser();
  const [isPasskey, setPasskey] = useState(false);
  const [codes, setCodes] = useState<readonly string[]>();
  const changed = useFactorChanged();
  // The recovery codes come with the answer; the other way would discard it.
  const isAdding = useIsAddingFactor();
  if (!me) return null;
  return (
    <>
      <PageHeader title="Set up your second factor" description="Then you can go on." />
      <section className={`${styles['card']} ${styles['narrow']}`}>
        {codes ? (
          <RecoveryCodes codes={codes} onDone={changed} />
        ) : (
          <>
            <Alert
              className={styles['alert'] ?? ''}
              type="info"
              showIcon
              title="The settings require a second factor of every ADMIN."
            />
            {isPasskey ? (
              <PasskeySetUp onAdded={setCodes} />
            ) : (
              <TotpSetUp username={me.username} onConfirmed={setCodes} />
            )}
            <Button type="link" block disabled={isAdding} onClick={() => setPasskey(!isPasskey)}>
              {isPasskey ? 'Use an authenticator app instead' : 'Use a passkey instead'}
            </Button>
          </>
        )}
      </section>
    </>
  );
}
