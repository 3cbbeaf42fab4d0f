import styles from './Fields.module.css';

/** More stars than these are told as a number. */
export const MOST_STARS = 10;

/** A rating as stars; screen readers hear the number. */
export function Stars({ count, most }: { count: number; most: number }) {
  const text = `${count} of ${most} stars`;
  if (most > MOST_STARS || count > most) return `${count} of ${most}`;
  return (
    <span className={styles['stars']} role="img" aria-label={text} title={text}>
      <span className={styles['lit']}>{'★'.repeat(count)}</span>
      <span>{'★'.repeat(most - count)}</span>
    </span>
  );
}
