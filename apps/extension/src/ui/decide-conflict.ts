import type { SheetField } from '../model/sheet-fields.ts';
import type { Workspace } from '../service/workspace.ts';
import { openConflict } from './conflict-dialog.ts';

interface Undecided {
  parent: HTMLElement;
  cell: HTMLElement | undefined;
  workspace: Workspace;
  fields: readonly SheetField[];
  key: string;
  /** Called after the decision. */
  decided: () => void;
}

/** Lets the person decide about a row that others have changed too; then the row is sent. */
export function decideConflict({ parent, cell, workspace, fields, key, decided }: Undecided): void {
  const { queue } = workspace;
  const end = (decide: () => void) => () => {
    decide();
    workspace.save();
    decided();
  };
  const { updatedAt = '' } = workspace.known.get(key) ?? {};
  openConflict(
    { parent, cell, key, updatedAt, conflicts: queue.conflictsOf(key), fields },
    {
      keepMine: end(() => queue.keepMine(key)),
      takeTheirs: end(() => queue.takeTheirs(key)),
      merge: (values) =>
        end(() => {
          for (const [field, value] of values) queue.edit(key, field, value);
          queue.keepMine(key);
        })(),
      closed: end(() => undefined),
    },
  );
}
