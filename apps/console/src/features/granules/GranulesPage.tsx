import { ApiError } from '@kaptain/contract/client';
import { useParams } from 'react-router';
import { useKapsule } from '../../api/kapsules.ts';
import { ErrorPanel } from '../../shared/ErrorPanel.tsx';
import { PageHeader } from '../../shared/PageHeader.tsx';
import { PageSkeleton } from '../../shared/PageSkeleton.tsx';
import { useScreenUser } from '../../shared/session-storage.ts';
import { useMayReplacePage } from '../../shared/unsaved-changes.tsx';
import { useWords } from '../../variants/use-variant.ts';
import { GranulesView } from './GranulesView.tsx';

export function GranulesPage() {
  const { id = '' } = useParams();
  const words = useWords();
  const me = useScreenUser();
  const { data: kapsule, error, refetch } = useKapsule(id);
  // Deleted, or no longer shared with this user: what was read before must not stay up.
  const isGone = useMayReplacePage(error instanceof ApiError && error.status === 404);
  if (kapsule && me && !isGone) return <GranulesView kapsule={kapsule} me={me} />;
  if (!error) return <PageSkeleton />;
  return (
    <>
      <PageHeader title={words.granule.Many} />
      <ErrorPanel
        title={`The ${words.kapsule.one} could not be loaded`}
        error={error}
        onRetry={() => void refetch()}
      />
    </>
  );
}
