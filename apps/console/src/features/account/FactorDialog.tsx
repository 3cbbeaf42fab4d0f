import { Modal } from 'antd';
import { type ReactNode, useState } from 'react';
import { useFactorChanged } from '../../api/second-factor.ts';
import { RecoveryCodes } from './RecoveryCodes.tsx';

interface Props {
  title: string;
  /** The first step; calls `onAdded` with the recovery codes to show, none where the user has some already. */
  children: (onAdded: (codes: readonly string[]) => void) => ReactNode;
  onDone?: () => void;
  onClose: () => void;
}

/** Adds a second factor; the recovery codes follow, if it made new ones. */
export function FactorDialog({ title, children, onDone, onClose }: Props) {
  const [codes, setCodes] = useState<readonly string[]>();
  const changed = useFactorChanged();
  const finish = () => {
    changed();
    onDone?.();
    onClose();
  };
  return (
    <Modal
      open
      title={codes ? 'Your recovery codes' : title}
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
        children((made) => (made.length > 0 ? setCodes(made) : finish()))
      )}
    </Modal>
  );
}
