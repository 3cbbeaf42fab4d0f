import type { Kapsule } from '@kaptain/contract/kapsules';
import { DEFAULT_DATABASE } from '@kaptain/contract/vocabulary';
import { Tag } from 'antd';
import { Hint } from '../../shared/Hint.tsx';
import { useWords } from '../../variants/use-variant.ts';
import styles from './KapsulesTable.module.css';

const states: Record<string, { text: string; color: string }> = {
  unavailable: { text: 'Unavailable', color: 'error' },
  deleting: { text: 'Deleting', color: 'warning' },
};

/** The database of the granules, and why it is unavailable. */
export function DatabaseCell({ kapsule }: { kapsule: Kapsule }) {
  const { ownDatabase } = useWords();
  const { database, state, stateMessage } = kapsule;
  const shown = states[state ?? ''];
  return (
    <div className={styles['database']}>
      <Tag>{database === DEFAULT_DATABASE ? ownDatabase : database}</Tag>
      {shown && (
        <Hint title={stateMessage}>
          <Tag color={shown.color} tabIndex={0}>
            {shown.text}
          </Tag>
        </Hint>
      )}
    </div>
  );
}
