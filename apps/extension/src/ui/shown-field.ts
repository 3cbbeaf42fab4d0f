import { isThread } from '@kaptain/contract/fields';
import { ownValue } from '@kaptain/contract/own-value';
import { showCell } from '../model/values.ts';
import type { EditedField } from '../properties.ts';
import type { Workspace } from '../service/workspace.ts';
import { threadCell, threadState } from '../thread/shown-thread.ts';
import type { ShownCell } from './grid-view.ts';

type Shown = Pick<Workspace, 'queue' | 'outbox' | 'known'> & { access: Pick<Workspace['access'], 'author'> };

/** A cell of the kapsule as the person sees it. */
export function shownField(
  { access, queue, outbox, known }: Shown,
  key: string,
  { name, type }: EditedField,
): Omit<ShownCell, 'isLocked'> {
  const granule = known.get(key);
  const isAwaited = access.author !== '' && granule === undefined;
  if (!isThread(type))
    return { text: showCell(type, queue.valueOf(key, name)), state: queue.stateOf(key, name), isAwaited };
  const pending = outbox.at({ key, field: name });
  return {
    text: threadCell(ownValue(granule?.data ?? {}, name), pending),
    state: threadState(pending),
    isAwaited,
  };
}
