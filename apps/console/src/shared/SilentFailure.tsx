import { Button } from 'antd';
import { EmptyState } from './EmptyState.tsx';

interface Props {
  title: string;
  isFetching: boolean;
  onRetry: () => void;
}

/** Spec 8: a list that could not be loaded is empty, silently; Retry is what tells it from a list without entries. */
export function SilentFailure({ title, isFetching, onRetry }: Props) {
  return (
    <EmptyState
      title={title}
      action={
        <Button loading={isFetching} onClick={onRetry}>
          Retry
        </Button>
      }
    />
  );
}
