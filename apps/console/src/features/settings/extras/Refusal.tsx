import { ApiError } from '@kaptain/contract/client';
import { Alert, Button } from 'antd';
import { messageOf } from '../../../shared/message-of.ts';

/** The reason of a refusal; after a change by another user, with a button that loads it. */
export function Refusal({ error, onReload }: { error: Error | null; onReload: () => void }) {
  if (!error) return null;
  const isStale = error instanceof ApiError && error.status === 412;
  return (
    <Alert
      type="error"
      showIcon
      title="Error saving!"
      description={isStale ? 'The settings have changed after you opened this page.' : messageOf(error)}
      action={isStale && <Button onClick={onReload}>Load the new settings</Button>}
    />
  );
}
