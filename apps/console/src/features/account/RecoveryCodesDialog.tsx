import { Modal } from 'antd';
import { RecoveryCodes } from './RecoveryCodes.tsx';

/** New recovery codes; it closes only by its own button, because they can't be shown again. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <Modal open title="Your recovery codes" footer={null} closable={false} keyboard={false} width={480}>
      <RecoveryCodes codes={codes} onDone={onClose} />
    </Modal>
  );
}
