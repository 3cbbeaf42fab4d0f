import type { Kapsule } from '@kaptain/contract/kapsules';
import { limits } from '@kaptain/contract/limits';
import { mayDropTable, mayRestore } from '@kaptain/contract/permissions';
import type { SessionUser } from '@kaptain/contract/session';
import { DEFAULT_DATABASE } from '@kaptain/contract/vocabulary';
import { Checkbox, Input, Radio } from 'antd';
import { useId, useState } from 'react';
import { useWords } from '../../variants/use-variant.ts';
import styles from './DeleteQuestion.module.css';
import { nameToType } from './delete-rules.ts';

/** The choice of the user. */
export interface DeleteChoice {
  deleteTable: boolean;
  /** Whether the tables are dropped at once, instead of when the kapsules can no longer be restored. */
  dropNow: boolean;
  /** The name of a large kapsule is typed, where it is asked for. */
  isConfirmed: boolean;
}

interface Props {
  me: SessionUser;
  kapsules: readonly Kapsule[];
  /** Whether this service keeps deleted kapsules for a while. */
  isRestorable: boolean;
  onChange: (choice: DeleteChoice) => void;
  /** Enter was pressed after the right name. */
  onEnter: () => void;
}

const counted = (count: number | undefined, noun: { one: string; many: string }) =>
  count === undefined ? '' : `${count.toLocaleString('en-US')} ${count === 1 ? noun.one : noun.many}`;

/** Lists the kapsules to delete, asks what becomes of their tables, and for the name of a large one. */
export function DeleteQuestion({ me, kapsules, isRestorable, onChange, onEnter }: Props) {
  const { kapsule: noun, granule } = useWords();
  const elsewhere = kapsules.filter(({ database }) => database !== DEFAULT_DATABASE);
  // One choice for all tables: offered only if this user may drop each of them.
  const isOffered = elsewhere.length > 0 && elsewhere.every((kapsule) => mayDropTable(me.role, kapsule));
  const databases = [...new Set(elsewhere.map(({ database }) => database))].join(', ');
  const typedName = nameToType(kapsules, me.role);
  const nameId = useId();
  const [choice, setChoice] = useState<DeleteChoice>({
    deleteTable: false,
    dropNow: false,
    isConfirmed: typedName === undefined,
  });
  const choose = (change: Partial<DeleteChoice>) => {
    const next = { ...choice, ...change };
    setChoice(next);
    onChange(next);
  };
  const what = kapsules.length === 1 ? noun.one : noun.many;
  const owners = kapsules.length === 1 ? 'its owner' : 'their owners';
  const byOthers = kapsules.every((kapsule) => mayRestore(me, kapsule)) ? '' : ` by ${owners} or an ADMIN`;
  const isFinal = !isRestorable || (choice.deleteTable && choice.dropNow);

  return (
    <div className={styles['question']}>
      <p>
        {isFinal
          ? `This can’t be undone. Lost are the ${what}, the stored ${granule.many} and their history:`
          : `The ${what} can be restored for ${limits.restoreDays} days${byOthers}, with the stored ${granule.many} and their history:`}
      </p>
      {/* biome-ignore lint: the list scrolls, so the keyboard must reach it. */}
      <ul className={styles['names']} tabIndex={0} aria-label={noun.Many}>
        {kapsules.map(({ _id, name, granules }) => (
          <li key={_id}>
            <strong>{name}</strong> <small>{counted(granules?.total, granule)}</small>
          </li>
        ))}
      </ul>
      {isOffered && (
        // Spec 4: decides whether the remote table is dropped.
        <Checkbox onChange={({ target }) => choose({ deleteTable: target.checked })}>
          {`Delete table on ${databases}`}
        </Checkbox>
      )}
      {isOffered && isRestorable && choice.deleteTable && (
        <Radio.Group
          className={styles['when'] ?? ''}
          aria-label="When"
          value={choice.dropNow}
          onChange={({ target }) => choose({ dropNow: target.value === true })}
          options={[
            { value: false, label: `in ${limits.restoreDays} days, if nothing is restored` },
            { value: true, label: 'at once, for good' },
          ]}
        />
      )}
      {typedName !== undefined && (
        <p className={styles['confirm']}>
          <label htmlFor={nameId}>
            Type <strong>{typedName}</strong> to confirm:
          </label>
          <Input
            id={nameId}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => choose({ isConfirmed: target.value.trim() === typedName.trim() })}
            onPressEnter={() => choice.isConfirmed && onEnter()}
          />
        </p>
      )}
    </div>
  );
}
