import { ApiError } from '@kaptain/contract/client';
import { Alert, Button } from 'antd';
import { messageOf } from '../../../shared/message-of.ts';

/** Why the service did not take it; after somebody else's change there is a way to see theirs. */
export function Refusal({ error, onReload }: { error: Error | null; onReload: () => void }) {
  if (!error) return null;
  const isStale = error instanceof ApiError && error.status === 412;
  return (
    <Alert
      type="error"
      showIcon
      title="Error saving!"
      description={
        isStale ? 'Somebody else has changed the settings after you opened this page.' : messageOf(error)
      }
      action={isStale && <Button onClick={onReload}>Load the new settings</Button>}
    />
  );
}
