import { DeleteOutlined, DesktopOutlined, EditOutlined, UnlockOutlined } from '@ant-design/icons';
import type { SessionUser } from '@kaptain/contract/session';
import type { User } from '@kaptain/contract/users';
import { useRemoveUser, useUnlockUser } from '../../api/users.ts';
import { IconAction } from '../../shared/IconAction.tsx';
import { useIsKnownPath } from '../../shared/PageLink.tsx';
import { RowActions } from '../../shared/RowActions.tsx';
import { useAuditLink } from '../../shared/use-audit-link.tsx';
import { useConfirm } from '../../shared/use-confirm.tsx';
import { DeleteUserQuestion } from './DeleteUserQuestion.tsx';
import { deletionBlockedBy, mayUnlock } from './user-rules.ts';

interface Props {
  user: User;
  all: readonly User[];
  me: SessionUser;
  onEdit: (user: User) => void;
  onSessions: (user: User) => void;
}

export function UserActions({ user, all, me, onEdit, onSessions }: Props) {
  const { username, userId } = user;
  const confirm = useConfirm();
  // The service has sessions to show when it has the account screen, an extra too.
  const isKnown = useIsKnownPath();
  const remove = useRemoveUser();
  const unlock = useUnlockUser();
  const auditLink = useAuditLink(`user:${userId}`, username);

  const askToDelete = () => {
    let newOwner: string | undefined;
    const choose = (chosen: string | undefined) => {
      newOwner = chosen;
    };
    confirm({
      title: `Are you sure to delete ${username}?`,
      content: <DeleteUserQuestion user={user} all={all} onNewOwner={choose} />,
      done: `${username} is deleted.`,
      run: () => remove.mutateAsync({ id: userId, newOwner }),
    });
  };

  return (
    <RowActions of={username}>
      {mayUnlock(user, me) && (
        <IconAction
          title="Unlock"
          label={`Unlock ${username}`}
          icon={<UnlockOutlined />}
          onClick={() =>
            confirm({
              title: `Are you sure to unlock ${username}?`,
              content: 'The account can try to log in again at once.',
              done: `${username} is unlocked.`,
              run: () => unlock.mutateAsync(userId),
            })
          }
        />
      )}
      {isKnown('/account') && (
        <IconAction
          title="Sessions"
          label={`Sessions of ${username}`}
          icon={<DesktopOutlined />}
          onClick={() => onSessions(user)}
        />
      )}
      {auditLink}
      <IconAction
        title="Edit"
        label={`Edit ${username}`}
        icon={<EditOutlined />}
        onClick={() => onEdit(user)}
      />
      <IconAction
        title="Delete"
        label={`Delete ${username}`}
        icon={<DeleteOutlined />}
        danger
        blockedBy={deletionBlockedBy(user, me, all)}
        onClick={askToDelete}
      />
    </RowActions>
  );
}
