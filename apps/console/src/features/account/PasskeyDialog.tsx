import { App } from 'antd';
import { FactorDialog } from './FactorDialog.tsx';
import { PasskeySetUp } from './PasskeySetUp.tsx';

export function PasskeyDialog({ onClose }: { onClose: () => void }) {
  const { message } = App.useApp();
  const tell = () => void message.success('The passkey is added.');
  return (
    <FactorDialog title="Add passkey" onDone={tell} onClose={onClose}>
      {(onAdded) => <PasskeySetUp onAdded={onAdded} />}
    </FactorDialog>
  );
}
