import { limits } from '@kaptain/contract/limits';
import { Button } from 'antd';
import type { ShownGranules } from '../../api/granules.ts';
import { useWords } from '../../variants/use-variant.ts';
import styles from './Granules.module.css';
import type { Selection } from './use-selection.ts';

interface Props {
  page: ShownGranules;
  selection: Selection;
  isDeletedView: boolean;
}

/** Offers to select all matching granules when a whole page is selected. */
export function SelectionBar({ page, selection, isDeletedView }: Props) {
  const { granule } = useWords();
  const { ids, isAllMatching, clear, selectAllMatching } = selection;
  const isPageSelected = page.data.length > 0 && page.data.every(({ _id }) => ids.includes(_id));
  const total = page.total.toLocaleString('en-US');
  const isOffered =
    !isAllMatching &&
    !isDeletedView &&
    isPageSelected &&
    page.totalIsExact &&
    page.total > ids.length &&
    page.total <= limits.granulesPerDelete;
  if (ids.length === 0) return null;
  return (
    <div className={styles['bar']} role="status">
      {isAllMatching
        ? `All ${total} matching ${granule.many} are selected.`
        : `${ids.length.toLocaleString('en-US')} selected.`}
      {isOffered && (
        <Button type="link" size="small" onClick={selectAllMatching}>
          {`Select all ${total} matching`}
        </Button>
      )}
      <Button type="link" size="small" onClick={clear}>
        Clear the selection
      </Button>
    </div>
  );
}
