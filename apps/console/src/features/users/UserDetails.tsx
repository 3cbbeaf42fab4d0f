import type { User } from '@kaptain/contract/users';
import { useLastLogin } from '../../api/audit.ts';
import { CopyText } from '../../shared/CopyText.tsx';
import { TimeText } from '../../shared/TimeText.tsx';
import { useWords } from '../../variants/use-variant.ts';
import styles from './UserDetails.module.css';

/** The facts that the columns do not show, or not on a small screen. */
export function UserDetails({ user }: { user: User }) {
  const { platform } = useWords();
  const { data: login, isPending, isError } = useLastLogin(user.userId);
  const groups = user.groups.map(({ groupname }) => groupname);
  return (
    <dl className={styles['details']}>
      <div>
        <dt>User ID</dt>
        <dd>
          <CopyText text={user.userId} />
        </dd>
      </div>
      <div>
        <dt>Last sign-in</dt>
        <dd>
          {isPending && '…'}
          {isError && 'Unknown'}
          {login === null && 'Never'}
          {login && (
            <>
              <TimeText value={login.at} /> {`from ${login.ip}`}
            </>
          )}
        </dd>
      </div>
      <div>
        <dt>Groups</dt>
        <dd>{user.role === 'ADMIN' ? 'None: an ADMIN needs none' : groups.join(', ') || 'None'}</dd>
      </div>
      <div>
        <dt>{`${platform} User ID`}</dt>
        <dd>{user.qlikId || '–'}</dd>
      </div>
    </dl>
  );
}
