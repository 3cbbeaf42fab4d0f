import styles from './Granules.module.css';
import { userIdOf } from './user-id-of.ts';

/** The user without the directory; the tooltip has the text as it is stored. */
export function UserText({ user }: { user: string | null | undefined }) {
  if (!user) return '–';
  return (
    <span className={styles['cut']} title={user}>
      {userIdOf(user)}
    </span>
  );
}
