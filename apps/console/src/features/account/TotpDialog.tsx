import { FactorDialog } from './FactorDialog.tsx';
import { TotpSetUp } from './TotpSetUp.tsx';

export const TotpDialog = ({ username, onClose }: { username: string; onClose: () => void }) => (
  <FactorDialog title="Set up authenticator app" onClose={onClose}>
    {(onAdded) => <TotpSetUp username={username} onConfirmed={onAdded} />}
  </FactorDialog>
);
