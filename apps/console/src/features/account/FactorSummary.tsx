import type { SecondFactorState } from '@kaptain/contract/second-factor';
import { Button } from 'antd';
import { useState } from 'react';
import { useCreateRecoveryCodes, useRemoveTotp } from '../../api/second-factor.ts';
import { TimeText } from '../../shared/TimeText.tsx';
import { useConfirm } from '../../shared/use-confirm.tsx';
import styles from './Account.module.css';
import { PasskeyList } from './PasskeyList.tsx';
import { RecoveryCodesDialog } from './RecoveryCodesDialog.tsx';

const LAST = 'The password alone is enough to log in then. The recovery codes become invalid.';
const NOT_LAST = 'Your other second factor stays.';
const REQUIRED = 'The settings require a second factor of every ADMIN.';

interface Props {
  factor: SecondFactorState;
  onAdd: (what: 'app' | 'passkey') => void;
}

/** The factors of an account, and what can be done with them. */
export function FactorSummary({ factor, onAdd }: Props) {
  const [codes, setCodes] = useState<readonly string[]>();
  const remove = useRemoveTotp();
  const create = useCreateRecoveryCodes();
  const confirm = useConfirm();
  const { totpSince, passkeys, recoveryCodes, isRequired } = factor;
  const hasApp = totpSince !== null;
  const isLast = passkeys.length + Number(hasApp) === 1;
  const blockedBy = isRequired && isLast ? REQUIRED : undefined;
  const consequence = isLast ? LAST : NOT_LAST;

  if (!hasApp && passkeys.length === 0)
    return (
      <>
        <p className={styles['text']}>
          With a passkey or an authenticator app on your phone, a stolen password is not enough to log in as
          you.
        </p>
        <div className={styles['buttons']}>
          <Button type="primary" onClick={() => onAdd('passkey')}>
            Add passkey
          </Button>
          <Button onClick={() => onAdd('app')}>Set up authenticator app</Button>
        </div>
      </>
    );

  const replaceCodes = () =>
    confirm({
      title: 'Are you sure to make new recovery codes?',
      content: 'Your present recovery codes become invalid.',
      done: 'The new recovery codes are made.',
      run: async () => setCodes((await create.mutateAsync()).recoveryCodes),
    });
  const removeApp = () =>
    confirm({
      title: 'Are you sure to remove the authenticator app?',
      content: consequence,
      done: 'The authenticator app is removed.',
      run: () => remove.mutateAsync(),
    });

  return (
    <>
      <dl className={styles['data']}>
        <dt>Authenticator app</dt>
        <dd>
          {hasApp ? (
            <>
              since <TimeText value={totpSince} />
            </>
          ) : (
            'not set up'
          )}
        </dd>
        <dt>Recovery codes</dt>
        <dd>{`${recoveryCodes} of 10 left`}</dd>
      </dl>
      {passkeys.length > 0 && (
        <PasskeyList passkeys={passkeys} blockedBy={blockedBy} consequence={consequence} />
      )}
      <div className={styles['buttons']}>
        <Button onClick={() => onAdd('passkey')}>Add passkey</Button>
        <Button onClick={() => onAdd('app')}>{hasApp ? 'Replace app' : 'Set up authenticator app'}</Button>
        <Button onClick={replaceCodes}>New recovery codes</Button>
        {hasApp && (
          <Button danger disabled={blockedBy !== undefined} onClick={removeApp}>
            Remove app
          </Button>
        )}
      </div>
      {/* As text: the keyboard reaches no tooltip of a disabled button. */}
      {hasApp && blockedBy !== undefined && <p className={styles['reason']}>{blockedBy}</p>}
      {codes && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(undefined)} />}
    </>
  );
}
