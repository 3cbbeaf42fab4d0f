import type { User } from '@kaptain/contract/users';
import { Tag, Tooltip } from 'antd';
import { formatTime, parseTime } from '../../shared/time.ts';

function reason({ lockTime }: User): string {
  const until = parseTime(lockTime);
  // Another service may mean the beginning of the lock, which tells nothing about its end.
  const isEnd = until !== undefined && until.getTime() > Date.now();
  return isEnd
    ? `Locked until ${formatTime(until)} after too many wrong passwords`
    : 'Locked after too many wrong passwords';
}

/** Spec 2: a Locked tag or an Active tag. */
export function StatusTag({ user }: { user: User }) {
  if (!user.isLocked) return <Tag color="success">Active</Tag>;
  return (
    <Tooltip title={() => reason(user)}>
      <Tag color="error" tabIndex={0}>
        Locked
      </Tag>
    </Tooltip>
  );
}
