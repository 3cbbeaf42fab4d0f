import { Button } from 'antd';
import { EmptyState } from '../../shared/EmptyState.tsx';
import { useWords } from '../../variants/use-variant.ts';

interface Props {
  hasFailed: boolean;
  isFetching: boolean;
  isFiltered: boolean;
  /** The URL names a page after the last one. */
  isBeyond: boolean;
  onRetry: () => void;
  onFirstPage: () => void;
  onClear: () => void;
  /** Undefined when this user may not start a reload. */
  onStart: (() => void) | undefined;
}

/** Shown without rows: the load has failed, no run matches, or there are no runs yet. */
export function LogsEmpty(props: Props) {
  const { hasFailed, isFetching, isFiltered, isBeyond, onRetry, onFirstPage, onClear, onStart } = props;
  const { platform } = useWords();
  if (hasFailed)
    return (
      <EmptyState
        title="No logs to show"
        action={
          <Button loading={isFetching} onClick={onRetry}>
            Retry
          </Button>
        }
      >
        The runs of reloads appear here.
      </EmptyState>
    );
  if (isBeyond)
    return (
      <EmptyState
        title="This page is empty"
        action={<Button onClick={onFirstPage}>To the first page</Button>}
      >
        There are fewer runs now.
      </EmptyState>
    );
  if (isFiltered)
    return (
      <EmptyState
        title="No run matches these filters"
        action={<Button onClick={onClear}>Clear the filters</Button>}
      >
        The search looks at the log name.
      </EmptyState>
    );
  return (
    <EmptyState
      title="Nothing has run yet"
      action={onStart && <Button onClick={onStart}>Start the first reload</Button>}
    >
      {`Each reload in ${platform} that is asked for by a save, by an administrator or by a schedule appears here.`}
    </EmptyState>
  );
}
