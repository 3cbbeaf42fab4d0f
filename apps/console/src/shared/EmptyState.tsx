import type { ReactNode } from 'react';
import styles from './StatePanel.module.css';

/** In place of a list that has nothing to show: why, and what the user can do about it, if anything. */
export function EmptyState({
  title,
  children,
  action,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <section className={styles['panel']}>
      <svg className={styles['drawing']} width="88" height="56" viewBox="0 0 88 56" aria-hidden="true">
        <rect x="8" y="6" width="72" height="12" rx="4" />
        <rect x="8" y="24" width="72" height="12" rx="4" />
        <rect x="8" y="42" width="44" height="12" rx="4" />
      </svg>
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {action}
    </section>
  );
}
