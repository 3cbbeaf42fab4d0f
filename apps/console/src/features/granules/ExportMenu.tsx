import { DownloadOutlined } from '@ant-design/icons';
import { pathOf } from '@kaptain/contract/client';
import { type ExportFormat, granules } from '@kaptain/contract/granules';
import type { Kapsule } from '@kaptain/contract/kapsules';
import { Button, Dropdown } from 'antd';
import { download } from '../../api/downloads.ts';
import { filterQuery, type GranuleQuery, type ShownGranules } from '../../api/granules.ts';
import { useConfirmDownload } from '../../shared/use-confirm-download.ts';
import { useWords } from '../../variants/use-variant.ts';
import { matchText } from './match-text.ts';

const formats: { key: ExportFormat; label: string }[] = [
  { key: 'csv', label: 'CSV' },
  { key: 'json', label: 'JSON' },
  { key: 'ndjson', label: 'NDJSON' },
  { key: 'qvd', label: 'QVD' },
];

interface Props {
  kapsule: Kapsule;
  page: ShownGranules;
  query: GranuleQuery;
}

/** Downloads the granules that match the filter and the search, on all pages. */
export function ExportMenu({ kapsule, page, query }: Props) {
  const { granule } = useWords();
  const confirm = useConfirmDownload();
  const ask = ({ key, label }: (typeof formats)[number]) =>
    confirm({
      title: `Are you sure to export ${matchText(page, granule)} as ${label}?`,
      content: 'The file holds exactly what the present filter and search leave, on all pages.',
      run: () =>
        download(
          pathOf(granules.export, {
            params: { id: kapsule._id },
            query: { format: key, ...filterQuery(query) },
          }),
        ),
    });
  return (
    <Dropdown
      trigger={['click']}
      autoFocus
      menu={{ items: formats.map((format) => ({ ...format, onClick: () => ask(format) })) }}
    >
      <Button icon={<DownloadOutlined aria-hidden="true" />}>Export</Button>
    </Dropdown>
  );
}
