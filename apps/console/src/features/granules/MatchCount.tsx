import type { GranuleQuery, ShownGranules } from '../../api/granules.ts';
import { ResultCount } from '../../shared/Toolbar.tsx';
import { useWords } from '../../variants/use-variant.ts';
import styles from './Granules.module.css';

const format = (value: number) => value.toLocaleString('en-US');

/** How many match, in words; counting stops somewhere when there are very many. */
export function matchText({ total, totalIsExact }: ShownGranules, noun: { one: string; many: string }) {
  if (!totalIsExact) return `more than ${format(total)} ${noun.many}`;
  return `${format(total)} ${total === 1 ? noun.one : noun.many}`;
}

export function MatchCount({ page, query }: { page: ShownGranules; query: GranuleQuery }) {
  const { granule } = useWords();
  if (page.totalIsExact && !query.deleted)
    return <ResultCount shown={page.total} total={page.summary.total} noun={granule} />;
  return (
    <span className={styles['match']} role="status">
      {matchText(page, granule)}
      {query.deleted && ' deleted'}
    </span>
  );
}
