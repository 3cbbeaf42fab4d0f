import { EditOutlined } from '@ant-design/icons';
import type { Granule } from '@kaptain/contract/granules';
import type { Kapsule } from '@kaptain/contract/kapsules';
import { ownValue } from '@kaptain/contract/own-value';
import { Button } from 'antd';
import { formatBytes } from '../../shared/bytes.ts';
import { JsonBlock } from '../../shared/JsonBlock.tsx';
import { GranuleHistory } from './GranuleHistory.tsx';
import styles from './Granules.module.css';
import { dataOf } from './granule-data.ts';
import { hasData } from './has-data.ts';
import { ThreadView } from './threads/ThreadView.tsx';
import { threadNames } from './threads/thread-words.ts';

interface Props {
  kapsule: Kapsule;
  granule: Granule;
  hasHistory: boolean;
  /** Given when this user may save granules, and this service has the call. */
  onEdit: ((granule: Granule) => void) | undefined;
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
export function GranuleDetails({ kapsule, granule, hasHistory, onEdit }: Props) {
  const threads = threadNames(kapsule);
  // People write comments on the sheet: a save changes no thread.
  const hasEditable = threads.size < kapsule.fields.length;
  // Data that was not sent can't be edited.
  const isEditable =
    onEdit !== undefined && hasEditable && granule.dataBytes === undefined && granule.version !== undefined;
  const filled = [...threads].filter((name) => hasData({ data: ownValue(dataOf(granule), name) }));
  return (
    <div className={styles['details']}>
      <section>
        <h3>Data</h3>
        <Data granule={granule} />
        {isEditable && (
          <Button
            className={styles['edit'] ?? ''}
            icon={<EditOutlined aria-hidden="true" />}
            onClick={() => onEdit(granule)}
          >
            Edit
          </Button>
        )}
      </section>
      {filled.map((name) => (
        <ThreadView key={name} field={name} value={ownValue(dataOf(granule), name)} />
      ))}
      {hasHistory && (
        <GranuleHistory kapsuleId={kapsule._id} granule={granule} threads={threads} mayEdit={isEditable} />
      )}
    </div>
  );
}
