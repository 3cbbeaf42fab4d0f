import { DeleteOutlined } from '@ant-design/icons';
import type { Kapsule } from '@kaptain/contract/kapsules';
import type { SessionUser } from '@kaptain/contract/session';
import { Button } from 'antd';
import { useState } from 'react';
import { ColumnChooser } from '../../shared/ColumnChooser.tsx';
import { EmptyState } from '../../shared/EmptyState.tsx';
import { SearchBox } from '../../shared/SearchBox.tsx';
import { SelectionButton } from '../../shared/SelectionButton.tsx';
import { ResultCount, Toolbar, ToolbarEnd } from '../../shared/Toolbar.tsx';
import { useDebouncedText } from '../../shared/use-debounced-text.ts';
import { useTable } from '../../shared/use-table.ts';
import { useUrlState } from '../../shared/use-url-state.ts';
import { useWords } from '../../variants/use-variant.ts';
import { columnsFor, KapsulesTable } from './KapsulesTable.tsx';
import { matchingKapsules } from './matching-kapsules.ts';
import { useDeleteKapsules } from './use-delete-kapsules.tsx';

interface Props {
  kapsules: readonly Kapsule[];
  me: SessionUser;
  onCopy: ((whole: Kapsule) => void) | undefined;
  onReplace: (kapsule: Kapsule) => void;
  onOwner: (kapsule: Kapsule) => void;
}

const initial = { q: '' };

export function KapsulesList({ kapsules, me, onCopy, onReplace, onOwner }: Props) {
  const words = useWords();
  const { kapsule } = words;
  const [{ q }, setSearch] = useUrlState(initial);
  const [typed, setTyped] = useDebouncedText(q, (text) => setSearch({ q: text }));
  const [ids, setIds] = useState<readonly string[]>([]);
  const remove = useDeleteKapsules(me);
  const columns = columnsFor(words, {
    role: me.role,
    onCopy,
    onReplace,
    onOwner,
    onDelete: (one) => remove([one]),
  });
  const table = useTable('kapsules', columns, { controls: 1 });
  const shown = matchingKapsules(kapsules, q);
  // Rows that the search hides are not deleted.
  const selected = shown.filter(({ _id }) => ids.includes(_id));

  return (
    <>
      <Toolbar>
        <SearchBox label="Search by name or table" value={typed} onChange={setTyped} />
        <ResultCount shown={shown.length} total={kapsules.length} noun={kapsule} />
        <ToolbarEnd>
          <SelectionButton
            icon={<DeleteOutlined aria-hidden="true" />}
            danger
            count={selected.length}
            onClick={() => remove(selected, () => setIds([]))}
          >
            Delete Selection
          </SelectionButton>
          <ColumnChooser table={table} />
        </ToolbarEnd>
      </Toolbar>
      {shown.length > 0 ? (
        <KapsulesTable
          kapsules={shown}
          table={table}
          selected={selected.map(({ _id }) => _id)}
          onSelect={setIds}
        />
      ) : (
        <EmptyState
          title={`No ${kapsule.one} matches “${q}”`}
          action={<Button onClick={() => setSearch({ q: '' })}>Clear the search</Button>}
        >
          The search looks at the name and the table.
        </EmptyState>
      )}
    </>
  );
}
