import { limits } from '@kaptain/contract/limits';
import { Button } from 'antd';
import type { ShownGranules } from '../../api/granules.ts';
import { useWords } from '../../variants/use-variant.ts';
import type { Selection } from './use-selection.ts';

interface Props {
  page: ShownGranules;
  selection: Selection;
  /** The service is counting all that match. */
  isCounting: boolean;
}

/** Offers to select all matching granules when a whole page is selected. */
export function SelectionBar({ page, selection, isCounting }: Props) {
  const { granule } = useWords();
  const { ids, isAllMatching, clear, selectAllMatching } = selection;
  const isPageSelected = page.data.length > 0 && page.data.every(({ _id }) => ids.includes(_id));
  const total = page.total.toLocaleString('en-US');
  const isMore = !isAllMatching && isPageSelected && page.total > ids.length;
  const isTooMuch = page.total > limits.granulesPerDelete;
  return (
    <>
      {/* First, so that it stays where it is when the texts beside it change. */}
      <Button type="link" size="small" onClick={clear}>
        Clear the selection
      </Button>
      <span role="status">
        {isAllMatching
          ? `All ${total} matching ${granule.many} are selected.`
          : `${ids.length.toLocaleString('en-US')} selected.`}
      </span>
      {isMore && isTooMuch && (
        <span>{`At most ${limits.granulesPerDelete.toLocaleString('en-US')} can be changed at once.`}</span>
      )}
      {isMore && !isTooMuch && (page.totalIsExact || isCounting) && (
        <Button type="link" size="small" disabled={!page.totalIsExact} onClick={selectAllMatching}>
          {page.totalIsExact ? `Select all ${total} matching` : 'Counting all that match …'}
        </Button>
      )}
    </>
  );
}
