import { useWords } from '../../../variants/use-variant.ts';
import styles from '../Settings.module.css';
import { ChangesTable } from './ChangesTable.tsx';
import type { SettingChange } from './settings-difference.ts';

interface Props {
  changes: readonly SettingChange[];
  newFiles: readonly string[];
  /** Before and after. */
  https: readonly [boolean, boolean];
}

/** The changes that a save will make. */
export function SaveQuestion({ changes, newFiles, https: [was, is] }: Props) {
  const { service } = useWords();
  return (
    <div className={styles['question']}>
      {(changes.length > 0 || newFiles.length === 0) && <ChangesTable changes={changes} />}
      {newFiles.length > 0 && <p>New certificate files: {newFiles.join(', ')}</p>}
      <p>
        {service} restarts; what is being answered is finished first.
        {was !== is &&
          ` From then on it is reached with ${is ? 'https' : 'http'}, and you have to log in again.`}
      </p>
    </div>
  );
}
