import { EditOutlined } from '@ant-design/icons';
import type { Granule } from '@kaptain/contract/granules';
import type { Kapsule } from '@kaptain/contract/kapsules';
import { Button } from 'antd';
import { Suspense } from 'react';
import { lazyPart } from '../../api/load-code.ts';
import { formatBytes } from '../../shared/bytes.ts';
import { JsonBlock } from '../../shared/JsonBlock.tsx';
import { useDialog } from '../../shared/use-dialog.ts';
import { GranuleHistory } from './GranuleHistory.tsx';
import styles from './Granules.module.css';
import { dataOf } from './granule-data.ts';
import { hasData } from './has-data.ts';
import { ThreadView } from './threads/ThreadView.tsx';
import { threadNames } from './threads/thread-words.ts';

const GranuleEditDialog = lazyPart('GranuleEditDialog', () => import('./GranuleEditDialog.tsx'));

interface Props {
  kapsule: Kapsule;
  granule: Granule;
  hasHistory: boolean;
  /** Whether this user may save granules, and this service has the call. */
  mayEdit: boolean;
}

function Data({ granule }: { granule: Granule }) {
  const { data, dataBytes } = granule;
  if (dataBytes !== undefined)
    return (
      <p>{`The data has ${formatBytes(dataBytes)}, which is too much to be shown here. An export has it.`}</p>
    );
  return hasData(granule) ? <JsonBlock label="Data" value={data} /> : <p>No data.</p>;
}

/** Spec 2: the data as formatted JSON when it exists; beside it, how it came to be. */
export function GranuleDetails({ kapsule, granule, hasHistory, mayEdit }: Props) {
  const editing = useDialog<Granule>();
  const threads = threadNames(kapsule);
  // People write comments on the sheet: a save changes no thread.
  const hasEditable = threads.size < kapsule.fields.length;
  // Data that was not sent can't be edited.
  const isEditable =
    mayEdit && hasEditable && granule.dataBytes === undefined && granule.version !== undefined;
  const filled = [...threads].filter((name) => hasData({ data: dataOf(granule)[name] }));
  return (
    <div className={styles['details']}>
      <section>
        <h3>Data</h3>
        <Data granule={granule} />
        {isEditable && (
          <Button
            className={styles['edit'] ?? ''}
            icon={<EditOutlined aria-hidden="true" />}
            onClick={() => editing.open(granule)}
          >
            Edit
          </Button>
        )}
      </section>
      {filled.map((name) => (
        <ThreadView key={name} field={name} value={dataOf(granule)[name]} />
      ))}
      {hasHistory && (
        <GranuleHistory kapsuleId={kapsule._id} granule={granule} threads={threads} mayEdit={isEditable} />
      )}
      <Suspense fallback={null}>
        {editing.about && <GranuleEditDialog dialog={editing} granule={editing.about} kapsule={kapsule} />}
      </Suspense>
    </div>
  );
}
