import { CopyOutlined, DeleteOutlined, DownloadOutlined, SwapOutlined } from '@ant-design/icons';
import { pathOf } from '@kaptain/contract/client';
import { type Kapsule, kapsules } from '@kaptain/contract/kapsules';
import { mayDelete, mayReplaceStructure } from '@kaptain/contract/permissions';
import type { Role } from '@kaptain/contract/vocabulary';
import { App, Checkbox } from 'antd';
import { download } from '../../api/downloads.ts';
import { useLoadWithFields } from '../../api/kapsules.ts';
import { IconAction } from '../../shared/IconAction.tsx';
import { isSessionEnd, messageOf } from '../../shared/message-of.ts';
import { RowActions } from '../../shared/RowActions.tsx';
import { useConfirmDownload } from '../../shared/use-confirm-download.ts';
import { useWords } from '../../variants/use-variant.ts';
import { isNewer } from './is-newer.ts';

interface Props {
  kapsule: Kapsule;
  role: Role;
  /** With its fields; undefined when the user may not create any. */
  onCopy: ((whole: Kapsule) => void) | undefined;
  onReplace: (kapsule: Kapsule) => void;
  onDelete: (kapsule: Kapsule) => void;
}

export function KapsuleActions({ kapsule, role, onCopy, onReplace, onDelete }: Props) {
  const { kapsule: noun, granule } = useWords();
  const confirm = useConfirmDownload();
  const { message } = App.useApp();
  const { _id, name, authority } = kapsule;
  const load = useLoadWithFields();

  const ask = async () => {
    // Without its fields, the file is exported as it is.
    const whole = await load(kapsule).catch(() => undefined);
    const text = `The structure of the ${noun.one} is downloaded as a .kap file, without its ${granule.many}.`;
    let isForEarlier = false;
    confirm({
      title: `Are you sure to export ${name}?`,
      content: whole?.fields.some(isNewer) ? (
        <>
          <p>{text}</p>
          <Checkbox onChange={({ target }) => (isForEarlier = target.checked)}>
            For earlier versions, without rules and with the types that they know
          </Checkbox>
        </>
      ) : (
        text
      ),
      run: () =>
        download(
          pathOf(kapsules.export, {
            query: { kapsuleId: _id, ...(isForEarlier && { earlier: 'true' as const }) },
          }),
        ),
    });
  };
  return (
    <RowActions of={name}>
      <IconAction
        title="Export"
        label={`Export ${name}`}
        icon={<DownloadOutlined />}
        onClick={() => void ask()}
      />
      {onCopy && (
        <IconAction
          title="Copy"
          label={`Copy ${name}`}
          icon={<CopyOutlined />}
          onClick={() =>
            void load(kapsule).then(onCopy, (error: unknown) => {
              if (!isSessionEnd(error)) void message.error(messageOf(error));
            })
          }
        />
      )}
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
