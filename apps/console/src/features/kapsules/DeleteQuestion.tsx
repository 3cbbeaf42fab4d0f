import type { Kapsule } from '@kaptain/contract/kapsules';
import { mayDropTable } from '@kaptain/contract/permissions';
import { DEFAULT_DATABASE, type Role } from '@kaptain/contract/vocabulary';
import { Checkbox } from 'antd';
import { useWords } from '../../variants/use-variant.ts';
import styles from './DeleteQuestion.module.css';

interface Props {
  role: Role;
  kapsules: readonly Kapsule[];
  onDeleteTable: (isWanted: boolean) => void;
}

const counted = (count: number | undefined, noun: { one: string; many: string }) =>
  count === undefined ? '' : `${count.toLocaleString('en-US')} ${count === 1 ? noun.one : noun.many}`;

/** Lists the kapsules to delete, and asks whether their tables in other databases are dropped too. */
export function DeleteQuestion({ role, kapsules, onDeleteTable }: Props) {
  const { kapsule: noun, granule } = useWords();
  const elsewhere = kapsules.filter(({ database }) => database !== DEFAULT_DATABASE);
  // One choice for all tables: offered only if this user may drop each of them.
  const isOffered = elsewhere.every((kapsule) => mayDropTable(role, kapsule));
  const databases = [...new Set(elsewhere.map(({ database }) => database))];
  return (
    <>
      <p>{`This can’t be undone. Lost are the ${kapsules.length === 1 ? noun.one : noun.many}, the stored ${granule.many} and their history:`}</p>
      {/* biome-ignore lint: the list scrolls, so the keyboard must reach it. */}
      <ul className={styles['names']} tabIndex={0} aria-label={noun.Many}>
        {kapsules.map(({ _id, name, granules }) => (
          <li key={_id}>
            <strong>{name}</strong> <small>{counted(granules?.total, granule)}</small>
          </li>
        ))}
      </ul>
      {databases.length > 0 && isOffered && (
        // Spec 4: decides whether the remote table is dropped.
        <Checkbox onChange={({ target }) => onDeleteTable(target.checked)}>
          {`Delete table on ${databases.join(', ')}`}
        </Checkbox>
      )}
    </>
  );
}
