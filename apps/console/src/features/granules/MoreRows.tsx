import { Button } from 'antd';
import { type Binding, type GranuleQuery, type ShownGranules, useMoreGranules } from '../../api/granules.ts';
import { useWords } from '../../variants/use-variant.ts';
import styles from './Granules.module.css';

interface Props {
  kapsule: Binding;
  page: ShownGranules;
  query: GranuleQuery;
}

/** Below a page that the service has cut: how many of its rows are shown, and a button for more. */
export function MoreRows({ kapsule, page, query }: Props) {
  const { granule } = useWords();
  const more = useMoreGranules(kapsule, query);
  const { next, data, total } = page;
  if (next === undefined) return null;
  const all = Math.min(query.size, total - (query.page - 1) * query.size);
  return (
    <div className={styles['more']}>
      <span role="status">
        {`These ${granule.many} are large: ${data.length} of the ${Math.max(all, data.length)} of this page are shown.`}
        {more.isError && ' More could not be loaded.'}
      </span>
      <Button loading={more.isPending} onClick={() => more.mutate(next)}>
        Show more
      </Button>
    </div>
  );
}
