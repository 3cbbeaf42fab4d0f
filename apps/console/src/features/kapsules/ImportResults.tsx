import { Link } from 'react-router';
import type { KapResult } from '../../api/kapsules.ts';
import { ResultList } from '../../shared/ResultList.tsx';
import { importMessage } from './import-message.ts';

interface Props {
  results: readonly KapResult[];
  onLeave: () => void;
}

/** Spec 8: one line per file; a new kapsule is one click away. */
export function ImportResults({ results, onLeave }: Props) {
  const shown = (result: KapResult) => {
    const text = importMessage(result);
    if ('line' in result) return { isGood: undefined, text };
    const { file, failure, kapsuleId } = result;
    const link = kapsuleId !== undefined && (
      <>
        {' '}
        <Link
          to={`/data/kapsules/${encodeURIComponent(kapsuleId)}`}
          onClick={onLeave}
          aria-label={`Open what came from ${file}`}
        >
          Open
        </Link>
      </>
    );
    return {
      isGood: failure === undefined,
      text: (
        <>
          {text}
          {link}
        </>
      ),
    };
  };
  return <ResultList label="Import results" results={results.map(shown)} />;
}
