import type { User } from '@kaptain/contract/users';
import { Tag } from 'antd';
import { Hint } from '../../shared/Hint.tsx';
import { lockReason } from './user-rules.ts';

/** Spec 2: a Locked tag or an Active tag. */
export function StatusTag({ user }: { user: User }) {
  if (!user.isLocked) return <Tag color="success">Active</Tag>;
  return (
    <Hint title={() => lockReason(user)}>
      <Tag color="error" tabIndex={0}>
        Locked
      </Tag>
    </Hint>
  );
}
