import { isEmpty, isThread } from '@kaptain/contract/fields';
import { ownValue } from '@kaptain/contract/own-value';
import type { SheetField } from '../model/sheet-fields.ts';
import { colorOf, showCell } from '../model/values.ts';
import type { Workspace } from '../service/workspace.ts';
import { threadCell, threadState } from '../thread/shown-thread.ts';
import type { ShownCell } from './grid-view.ts';

type Shown = Pick<Workspace, 'queue' | 'outbox' | 'known'> & { access: Pick<Workspace['access'], 'author'> };

/** A cell of the kapsule as the person sees it. */
export function shownField(
  { access, queue, outbox, known }: Shown,
  key: string,
  field: SheetField,
): Omit<ShownCell, 'isLocked' | 'isFresh'> {
  const { name, type } = field;
  const granule = known.get(key);
  const isAwaited = key !== '' && access.author !== '' && granule === undefined;
  if (!isThread(type)) {
    const value = queue.valueOf(key, name);
    const text = queue.invalid.get(key, name)?.text ?? showCell(field, value);
    return { text, color: colorOf(field, value), state: queue.stateOf(key, name), isAwaited };
  }
  const pending = outbox.at({ key, field: name });
  return {
    text: threadCell(ownValue(granule?.data ?? {}, name), pending),
    color: '',
    state: threadState(pending),
    isAwaited,
  };
}

/** Whether a cell has a value that is written once. An edit that is not stored can be corrected. */
export const isWritten = (
  { known }: Pick<Workspace, 'known'>,
  key: string,
  { name, writeOnce = false }: SheetField,
): boolean => writeOnce && !isEmpty(ownValue(known.get(key)?.data ?? {}, name));
