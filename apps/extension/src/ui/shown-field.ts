import { showCell } from '../model/values.ts';
import type { EditedField } from '../properties.ts';
import type { Workspace } from '../service/workspace.ts';
import { threadCell, threadState } from '../thread/shown-thread.ts';
import type { ShownCell } from './grid-view.ts';

/** A cell of the kapsule as the person sees it. */
export function shownField(
  { queue, outbox, known }: Pick<Workspace, 'queue' | 'outbox' | 'known'>,
  key: string,
  { name, type }: EditedField,
): Omit<ShownCell, 'isLocked'> {
  if (type !== 'thread')
    return { text: showCell(type, queue.valueOf(key, name)), state: queue.stateOf(key, name) };
  const pending = outbox.at({ key, field: name });
  return { text: threadCell(known.get(key)?.data[name], pending), state: threadState(pending) };
}
