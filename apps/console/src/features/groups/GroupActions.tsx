import { DeleteOutlined, EditOutlined } from '@ant-design/icons';
import type { Group } from '@kaptain/contract/groups';
import { useRemoveGroup } from '../../api/groups.ts';
import { IconAction } from '../../shared/IconAction.tsx';
import { RowActions } from '../../shared/RowActions.tsx';
import { useAuditLink } from '../../shared/use-audit-link.tsx';
import { useConfirm } from '../../shared/use-confirm.tsx';
import { useWords } from '../../variants/use-variant.ts';
import { lossOf } from './group-form.ts';

export function GroupActions({ group, onEdit }: { group: Group; onEdit: (group: Group) => void }) {
  const { _id, groupname } = group;
  const { kapsule } = useWords();
  const confirm = useConfirm();
  const remove = useRemoveGroup();
  const auditLink = useAuditLink(`group:${_id}`, groupname);
  return (
    <RowActions of={groupname}>
      {auditLink}
      <IconAction
        title="Edit"
        label={`Edit ${groupname}`}
        icon={<EditOutlined />}
        onClick={() => onEdit(group)}
      />
      <IconAction
        title="Delete"
        label={`Delete ${groupname}`}
        icon={<DeleteOutlined />}
        danger
        onClick={() =>
          confirm({
            title: `Are you sure to delete ${groupname}?`,
            content: lossOf(group, kapsule),
            done: `${groupname} is deleted.`,
            run: () => remove.mutateAsync(_id),
          })
        }
      />
    </RowActions>
  );
}
