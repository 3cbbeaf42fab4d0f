import { DeleteOutlined, UndoOutlined } from '@ant-design/icons';
import type { Kapsule } from '@kaptain/contract/kapsules';
import type { SessionUser } from '@kaptain/contract/session';
import {
  type GranuleQuery,
  type ShownGranules,
  useRemoveGranules,
  useRestoreGranules,
} from '../../api/granules.ts';
import { SelectionButton } from '../../shared/SelectionButton.tsx';
import { useConfirm } from '../../shared/use-confirm.tsx';
import { useWords } from '../../variants/use-variant.ts';
import { changedText, countText } from './changed-text.ts';
import { mayRemove } from './may-change.ts';
import type { Selection } from './use-selection.ts';

interface Props {
  kapsule: Kapsule;
  me: SessionUser;
  page: ShownGranules;
  query: GranuleQuery;
  selection: Selection;
}

/** Deletes the selected granules; in the view of deleted granules, restores them. */
export function SelectionAction({ kapsule, me, page, query, selection }: Props) {
  const words = useWords();
  const confirm = useConfirm();
  const remove = useRemoveGranules(kapsule);
  const restore = useRestoreGranules(kapsule._id);
  const { ids, isAllMatching, clear } = selection;
  const count = isAllMatching ? page.total : ids.length;
  const what = countText(count, words.granule);
  const { q, reloaded, where, conditions } = query;
  const chosen = isAllMatching ? { matching: { q, reloaded, where, conditions }, expected: count } : { ids };
  const scope = isAllMatching ? 'All that match the present filter and search, on all pages. ' : '';
  const clearAfter = async (change: Promise<number | undefined>) => {
    const changed = await change;
    clear();
    return changed;
  };

  if (query.deleted)
    return (
      <SelectionButton
        icon={<UndoOutlined aria-hidden="true" />}
        count={count}
        onClick={() =>
          confirm({
            title: `Are you sure to restore ${what}?`,
            content: `${scope}They come back as they were, as not reloaded.`,
            done: (changed) => changedText({ count, changed }, words.granule, 'restored'),
            run: () => clearAfter(restore.mutateAsync(chosen)),
          })
        }
      >
        Restore
      </SelectionButton>
    );

  const isAllowed = mayRemove(me.role, kapsule.authority);
  return (
    <SelectionButton
      icon={<DeleteOutlined aria-hidden="true" />}
      danger
      count={count}
      blockedBy={isAllowed ? undefined : `You lack the delete permission for this ${words.kapsule.one}.`}
      onClick={() =>
        confirm({
          title: `Are you sure to delete ${what}?`,
          content: `${scope}The history is kept; an ADMIN can restore what was deleted.`,
          done: (changed) => changedText({ count, changed }, words.granule, 'deleted'),
          run: () => clearAfter(remove.mutateAsync(chosen)),
        })
      }
    >
      Delete Selection
    </SelectionButton>
  );
}
