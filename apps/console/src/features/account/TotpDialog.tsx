import { App } from 'antd';
import { FactorDialog } from './FactorDialog.tsx';
import { TotpSetUp } from './TotpSetUp.tsx';

export function TotpDialog({ username, onClose }: { username: string; onClose: () => void }) {
  const { message } = App.useApp();
  const tell = () => void message.success('The authenticator app is set up.');
  return (
    <FactorDialog title="Set up authenticator app" onDone={tell} onClose={onClose}>
      {(onAdded) => <TotpSetUp username={username} onConfirmed={onAdded} />}
    </FactorDialog>
  );
}
