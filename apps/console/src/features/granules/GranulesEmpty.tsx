import { Button } from 'antd';
import type { GranuleQuery, ShownGranules } from '../../api/granules.ts';
import { EmptyState } from '../../shared/EmptyState.tsx';
import { useWords } from '../../variants/use-variant.ts';
import type { GranuleState } from './granule-state.ts';

interface Props {
  query: GranuleQuery;
  page: ShownGranules;
  hasFailed: boolean;
  isFetching: boolean;
  onRetry: () => void;
  onRefine: (values: Partial<GranuleState>) => void;
  /** Opens the import; undefined when this user may not import. */
  onImport: (() => void) | undefined;
}

/** Shown without rows: the load has failed, no granule matches, or there are none yet. */
export function GranulesEmpty(props: Props) {
  const { query, page, hasFailed, isFetching, onRetry, onRefine, onImport } = props;
  const { granule, kapsule, platform } = useWords();
  const { q, reloaded, deleted, where } = query;
  if (hasFailed)
    return (
      <EmptyState
        title={`No ${granule.many} to show`}
        action={
          <Button loading={isFetching} onClick={onRetry}>
            Retry
          </Button>
        }
      >
        {`The ${granule.many} of this ${kapsule.one} appear here.`}
      </EmptyState>
    );
  if (page.isPartial)
    return (
      <EmptyState title={`No ${granule.one} found so far`}>
        {deleted
          ? `Not all deleted ${granule.many} were looked at. Please narrow the search.`
          : `Not all ${granule.many} were looked at yet. An index is being made, and this page goes on by itself.`}
      </EmptyState>
    );
  if (page.total > 0)
    return (
      <EmptyState
        title="This page is empty"
        action={<Button onClick={() => onRefine({})}>To the first page</Button>}
      >
        {`There are fewer ${granule.many} now.`}
      </EmptyState>
    );
  if (q.trim() !== '' || reloaded !== undefined || where.length > 0)
    return (
      <EmptyState
        title={q.trim() === '' ? `No ${granule.one} is like that` : `No ${granule.one} matches “${q}”`}
        action={
          <Button onClick={() => onRefine({ q: '', show: deleted ? 'deleted' : 'all', where: '' })}>
            Clear the filters
          </Button>
        }
      >
        The search looks at the key, the user and every value.
      </EmptyState>
    );
  if (deleted)
    return (
      <EmptyState
        title="Nothing is deleted"
        action={<Button onClick={() => onRefine({ show: 'all' })}>{`Back to the ${granule.many}`}</Button>}
      >
        {`Deleted ${granule.many} wait here and can be restored.`}
      </EmptyState>
    );
  return (
    <EmptyState
      title={`No ${granule.many} yet`}
      action={onImport && <Button onClick={onImport}>Choose QVD files</Button>}
    >
      {`They come from people who comment in ${platform}, from the data API, or from imported QVD files.`}
    </EmptyState>
  );
}
