import type { GranuleQuery, ShownGranules } from '../../api/granules.ts';
import { ResultCount } from '../../shared/Toolbar.tsx';
import { useWords } from '../../variants/use-variant.ts';
import { matchText, partialText } from './match-text.ts';

interface Props {
  page: ShownGranules;
  query: GranuleQuery;
  /** The service is counting all that match. */
  isCounting: boolean;
}

export function MatchCount({ page, query, isCounting }: Props) {
  const { granule } = useWords();
  if (page.totalIsExact && !page.isPartial && !query.deleted)
    return <ResultCount shown={page.total} total={page.summary.total} noun={granule} />;
  return (
    <span role="status">
      {matchText(page, granule)}
      {query.deleted && ' deleted'}
      {!page.totalIsExact && !page.isPartial && ` (first ${Math.ceil(page.total / query.size)} pages)`}
      {isCounting && ', counting …'}
      {page.isPartial && ` ${partialText(query)}`}
    </span>
  );
}
