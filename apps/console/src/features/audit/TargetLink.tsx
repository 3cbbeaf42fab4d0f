import styles from './Audit.module.css';

interface Props {
  kind: string;
  name: string;
  onChoose: () => void;
}

/** The target of an entry, which filters the entries. A long name is cut in its own box (see `useCutTexts`). */
export function TargetLink({ kind, name, onChoose }: Props) {
  return (
    <div className={styles['target']}>
      <span className={styles['kind']}>{kind}</span>
      <button type="button" data-cut="" aria-label={`Only entries about ${name}`} onClick={onChoose}>
        {name}
      </button>
    </div>
  );
}
