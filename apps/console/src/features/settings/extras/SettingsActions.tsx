import { DownloadOutlined, HistoryOutlined, UploadOutlined } from '@ant-design/icons';
import type { SettingsInfo } from '@kaptain/contract/settings/settings';
import { Button } from 'antd';
import { useState } from 'react';
import { useDialog } from '../../../shared/use-dialog.ts';
import type { Apply } from '../use-apply.ts';
import { ExportDialog } from './ExportDialog.tsx';
import { HistoryDrawer } from './HistoryDrawer.tsx';
import { ImportDialog } from './ImportDialog.tsx';

interface Props {
  info: SettingsInfo;
  apply: Apply;
  onReload: () => void;
}

/** Actions on the settings that are beyond SPEC: only our own service has them. */
export function SettingsActions(props: Props) {
  const [isHistoryOpen, setHistoryOpen] = useState(false);
  const exporting = useDialog<true>();
  const importing = useDialog<true>();
  return (
    <>
      <Button icon={<HistoryOutlined aria-hidden />} onClick={() => setHistoryOpen(true)}>
        History
      </Button>
      <Button icon={<DownloadOutlined aria-hidden />} onClick={() => exporting.open(true)}>
        Export
      </Button>
      <Button icon={<UploadOutlined aria-hidden />} onClick={() => importing.open(true)}>
        Import
      </Button>
      <HistoryDrawer {...props} isOpen={isHistoryOpen} onClose={() => setHistoryOpen(false)} />
      {exporting.about && <ExportDialog dialog={exporting} />}
      {importing.about && <ImportDialog {...props} dialog={importing} />}
    </>
  );
}
