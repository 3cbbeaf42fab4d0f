import { useParams } from 'react-router';
import { useKapsule } from '../../../api/kapsules.ts';
import { ErrorPanel } from '../../../shared/ErrorPanel.tsx';
import { PageHeader } from '../../../shared/PageHeader.tsx';
import { PageSkeleton } from '../../../shared/PageSkeleton.tsx';
import { useScreenUser } from '../../../shared/session-storage.ts';
import { useWords } from '../../../variants/use-variant.ts';
import { MisfitsView } from './MisfitsView.tsx';

/** The stored values of one kapsule that do not fit its types and rules. */
export function MisfitsPage() {
  const { id = '' } = useParams();
  const words = useWords();
  const me = useScreenUser();
  const { data: kapsule, error, refetch } = useKapsule(id);
  if (kapsule && me) return <MisfitsView kapsule={kapsule} me={me} />;
  if (!error) return <PageSkeleton />;
  return (
    <>
      <PageHeader title="Values that do not fit" />
      <ErrorPanel
        title={`The ${words.kapsule.one} could not be loaded`}
        error={error}
        onRetry={() => void refetch()}
      />
    </>
  );
}
