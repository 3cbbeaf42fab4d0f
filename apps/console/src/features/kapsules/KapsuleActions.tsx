import { DeleteOutlined, DownloadOutlined, SwapOutlined } from '@ant-design/icons';
import { pathOf } from '@kaptain/contract/client';
import { type Kapsule, kapsules } from '@kaptain/contract/kapsules';
import { mayDelete, mayReplaceStructure } from '@kaptain/contract/permissions';
import type { Role } from '@kaptain/contract/vocabulary';
import { download } from '../../api/downloads.ts';
import { IconAction } from '../../shared/IconAction.tsx';
import { RowActions } from '../../shared/RowActions.tsx';
import { useConfirmDownload } from '../../shared/use-confirm-download.ts';
import { useWords } from '../../variants/use-variant.ts';

interface Props {
  kapsule: Kapsule;
  role: Role;
  onReplace: (kapsule: Kapsule) => void;
  onDelete: (kapsule: Kapsule) => void;
}

export function KapsuleActions({ kapsule, role, onReplace, onDelete }: Props) {
  const { kapsule: noun, granule } = useWords();
  const confirm = useConfirmDownload();
  const { _id, name, authority } = kapsule;
  return (
    <RowActions of={name}>
      <IconAction
        title="Export"
        label={`Export ${name}`}
        icon={<DownloadOutlined />}
        onClick={() =>
          confirm({
            title: `Are you sure to export ${name}?`,
            content: `The structure of the ${noun.one} is downloaded as a .kap file, without its ${granule.many}.`,
            run: () => download(pathOf(kapsules.export, { query: { kapsuleId: _id } })),
          })
        }
      />
      {mayReplaceStructure(role, kapsule) && (
        <IconAction
          title="Replace from .kap"
          label={`Replace ${name} from .kap`}
          icon={<SwapOutlined />}
          onClick={() => onReplace(kapsule)}
        />
      )}
      {/* Spec 6: always for an ADMIN, otherwise by authority. */}
      {mayDelete(role, authority) && (
        <IconAction
          title="Delete"
          label={`Delete ${name}`}
          icon={<DeleteOutlined />}
          danger
          onClick={() => onDelete(kapsule)}
        />
      )}
    </RowActions>
  );
}
