import { Modal } from 'antd';
import { useState } from 'react';
import { useFactorChanged } from '../../api/second-factor.ts';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import { TotpSetUp } from './TotpSetUp.tsx';

/** Sets an authenticator app up in two steps: a code of it, then the recovery codes. */
export function TotpDialog({ username, onClose }: { username: string; onClose: () => void }) {
  const [codes, setCodes] = useState<readonly string[]>();
  const changed = useFactorChanged();
  const finish = () => {
    changed();
    onClose();
  };
  return (
    <Modal
      open
      title={codes ? 'Your recovery codes' : 'Set up authenticator app'}
      footer={null}
      width={480}
      mask={{ closable: false }}
      // The codes can't be shown again, so they are left by their own button alone.
      closable={!codes}
      keyboard={!codes}
      onCancel={onClose}
    >
      {codes ? (
        <RecoveryCodes codes={codes} onDone={finish} />
      ) : (
        <TotpSetUp username={username} onConfirmed={setCodes} />
      )}
    </Modal>
  );
}
