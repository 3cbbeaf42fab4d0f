import { Link } from 'react-router';
import type { KapResult } from '../../api/kapsules.ts';
import { ResultList } from '../../shared/ResultList.tsx';
import { importMessage } from './import-message.ts';

/** Spec 8: one line per file; a new kapsule is one click away. */
export function ImportResults({ results, onLeave }: { results: readonly KapResult[]; onLeave: () => void }) {
  return (
    <ResultList
      label="Import results"
      results={results.map(({ file, failure, kapsuleId }) => ({
        isGood: failure === undefined,
        text: (
          <>
            {importMessage(file, failure)}
            {kapsuleId !== undefined && (
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
            )}
          </>
        ),
      }))}
    />
  );
}
