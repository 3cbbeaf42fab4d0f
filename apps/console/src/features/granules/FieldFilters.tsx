import { FilterOutlined, PlusOutlined } from '@ant-design/icons';
import type { FieldFilter } from '@kaptain/contract/field-filters';
import type { Kapsule } from '@kaptain/contract/kapsules';
import { limits } from '@kaptain/contract/limits';
import { Button, Modal } from 'antd';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useAskToDiscard } from '../../shared/unsaved-changes.tsx';
import { FieldFilterRow } from './FieldFilterRow.tsx';
import styles from './FieldFilters.module.css';
import { draftOf, draftProblem, type FilterDraft, filterOf, newDraft } from './filter-draft.ts';
import type { GranuleState } from './granule-state.ts';

interface Props {
  kapsule: Pick<Kapsule, 'fields' | 'keyField'>;
  where: readonly FieldFilter[];
  onRefine: (values: Partial<GranuleState>) => void;
}

type Row = FilterDraft & { id: number };
let rows = 0;
const withId = (draft: FilterDraft): Row => ({ ...draft, id: ++rows });

const textsOf = (drafts: readonly FilterDraft[]) =>
  JSON.stringify(
    drafts.map(({ text, from, to }) => [text, from, to]).filter((typed) => typed.join('') !== ''),
  );

/** Filters by fields: the button, and the dialog in which the conditions are edited. */
export function FieldFilters({ kapsule, where, onRefine }: Props) {
  const [drafts, setDrafts] = useState<Row[]>();
  const [opened, setOpened] = useState<Row[]>([]);
  const [isChecked, setChecked] = useState(false);
  const askToDiscard = useAskToDiscard();
  const list = useRef<HTMLUListElement>(null);
  const adder = useRef<HTMLButtonElement>(null);
  const isKey = (name: string) => name.toLowerCase() === kapsule.keyField.toLowerCase();
  const fields = kapsule.fields.filter(({ name }) => !isKey(name));
  const fieldOf = (name: string) => fields.find((field) => field.name === name) ?? { type: 'text' };
  const typeOf = (name: string) => fieldOf(name).type;
  const problemOf = (draft: FilterDraft) => draftProblem(draft, fieldOf(draft.field));
  const [first] = fields;
  if (!first) return null;

  const fresh = () => withId(newDraft(first.name, first.type));
  const open = () => {
    setChecked(false);
    const stored = where.map((filter) => withId(draftOf(filter, typeOf(filter.field))));
    const first = stored.length > 0 ? stored : [fresh()];
    setDrafts(first);
    setOpened(first);
  };
  const close = () => setDrafts(undefined);
  // A choice is made again at once; only typed texts are asked about.
  const leave = () => {
    // Escape also reaches a dialog that is closing.
    if (drafts === undefined) return;
    if (textsOf(drafts) === textsOf(opened)) close();
    else askToDiscard(close);
  };
  const apply = (chosen: readonly FilterDraft[]) => {
    setChecked(true);
    if (chosen.some((draft) => problemOf(draft) !== undefined)) return;
    const filters = chosen.map((draft) => filterOf(draft, fieldOf(draft.field)));
    onRefine({ where: filters.length > 0 ? JSON.stringify(filters) : '' });
    close();
  };
  const shown = drafts ?? [];
  const isFull = shown.length >= limits.conditionsPerFilter;
  const add = () => {
    flushSync(() => setDrafts([...shown, fresh()]));
    list.current?.lastElementChild?.querySelector('input')?.focus();
  };
  // The focus goes to the next condition, and after the last one to the button that adds one.
  const remove = (index: number) => {
    flushSync(() => setDrafts(shown.filter((_, one) => one !== index)));
    const next = list.current?.children[Math.min(index, shown.length - 2)];
    (next?.querySelector('button') ?? adder.current)?.focus();
  };

  return (
    <>
      <Button
        size="small"
        type={where.length > 0 ? 'link' : 'text'}
        icon={<FilterOutlined aria-hidden="true" />}
        aria-haspopup="dialog"
        onClick={open}
      >
        {where.length > 0 ? `Filters (${where.length})` : 'Filters'}
      </Button>
      <Modal
        open={drafts !== undefined}
        title="Filter by fields"
        width={760}
        onCancel={leave}
        mask={{ closable: false }}
        footer={[
          <Button key="clear" disabled={where.length === 0} onClick={() => apply([])}>
            Clear the filters
          </Button>,
          <Button key="cancel" onClick={leave}>
            Cancel
          </Button>,
          <Button key="apply" type="primary" onClick={() => apply(shown)}>
            Apply
          </Button>,
        ]}
      >
        <form
          onSubmit={(event) => {
            event.preventDefault();
            apply(shown);
          }}
        >
          <ul ref={list} className={styles['rows']} aria-label="Conditions">
            {shown.map((draft, index) => (
              <FieldFilterRow
                key={draft.id}
                draft={draft}
                fields={fields}
                problem={isChecked ? problemOf(draft) : undefined}
                onChange={(next) =>
                  setDrafts(shown.map((one) => (one.id === draft.id ? { ...next, id: draft.id } : one)))
                }
                onRemove={() => remove(index)}
              />
            ))}
          </ul>
          <Button icon={<PlusOutlined aria-hidden="true" />} ref={adder} disabled={isFull} onClick={add}>
            Add a condition
          </Button>
          {/* Enter in a field applies. */}
          <button type="submit" hidden aria-hidden="true" tabIndex={-1} />
        </form>
      </Modal>
    </>
  );
}
