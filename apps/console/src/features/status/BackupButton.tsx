import { DownloadOutlined } from '@ant-design/icons';
import { pathOf } from '@kaptain/contract/client';
import { status } from '@kaptain/contract/status';
import { App, Button } from 'antd';
import { download } from '../../api/downloads.ts';
import { useMakeBackup } from '../../api/status.ts';
import { formatBytes } from '../../shared/bytes.ts';
import { messageOf } from '../../shared/message-of.ts';
import { useConfirmDownload } from '../../shared/use-confirm-download.ts';

/** Makes a backup of the embedded store and downloads it. */
export function BackupButton() {
  const { message } = App.useApp();
  const confirm = useConfirmDownload();
  const make = useMakeBackup();
  const run = async () => {
    try {
      const { file, bytes } = await make.mutateAsync();
      await download(pathOf(status.downloadBackup, { params: { file } }));
      void message.success(`The backup has ${formatBytes(bytes)}.`);
    } catch (error) {
      void message.error(messageOf(error));
    }
  };
  return (
    <Button
      icon={<DownloadOutlined aria-hidden="true" />}
      loading={make.isPending}
      onClick={() =>
        confirm({
          title: 'Are you sure to make a backup and download it?',
          content:
            'It holds all data, settings, password hashes and keys: keep it where only you can read it. A large database takes minutes.',
          // The question closes at once; the button shows that the backup is being made.
          run: async () => void run(),
        })
      }
    >
      Make a backup
    </Button>
  );
}
