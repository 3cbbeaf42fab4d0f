import { Modal } from 'antd';
import { type ReactNode, useState } from 'react';
import { useFactorChanged, useIsAddingFactor } from '../../api/second-factor.ts';
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
  // The codes come with the answer and can't be shown again, so they are waited for, and left by their own button alone.
  const isKept = useIsAddingFactor() || codes !== undefined;
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
      closable={!isKept}
      keyboard={!isKept}
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
