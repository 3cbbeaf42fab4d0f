import { App, Modal } from 'antd';
import { useState } from 'react';
import { useFactorChanged } from '../../api/second-factor.ts';
import { PasskeySetUp } from './PasskeySetUp.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';

/** Adds a passkey; with the first second factor the recovery codes follow. */
export function PasskeyDialog({ onClose }: { onClose: () => void }) {
  const [codes, setCodes] = useState<readonly string[]>();
  const changed = useFactorChanged();
  const { message } = App.useApp();
  const finish = () => {
    changed();
    void message.success('The passkey is added.');
    onClose();
  };
  return (
    <Modal
      open
      title={codes ? 'Your recovery codes' : 'Add passkey'}
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
        <PasskeySetUp onAdded={(made) => (made.length > 0 ? setCodes(made) : finish())} />
      )}
    </Modal>
  );
}
