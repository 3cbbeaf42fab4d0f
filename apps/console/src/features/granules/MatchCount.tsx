import type { GranuleQuery, ShownGranules } from '../../api/granules.ts';
import { ResultCount } from '../../shared/Toolbar.tsx';
import { useWords } from '../../variants/use-variant.ts';
import styles from './Granules.module.css';
import { matchText } from './match-text.ts';

export function MatchCount({ page, query }: { page: ShownGranules; query: GranuleQuery }) {
  const { granule } = useWords();
  if (page.totalIsExact && !query.deleted)
    return <ResultCount shown={page.total} total={page.summary.total} noun={granule} />;
  return (
    <span className={styles['match']} role="status">
      {matchText(page, granule)}
      {!page.totalIsExact && ` (first ${Math.ceil(page.total / query.size)} pages), counting …`}
      {query.deleted && ' deleted'}
    </span>
  );
}
