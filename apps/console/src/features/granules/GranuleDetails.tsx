import type { Granule } from '@kaptain/contract/granules';
import { formatBytes } from '../../shared/bytes.ts';
import { JsonBlock } from '../../shared/JsonBlock.tsx';
import { GranuleHistory } from './GranuleHistory.tsx';
import styles from './Granules.module.css';
import { hasData } from './has-data.ts';

interface Props {
  kapsuleId: string;
  granule: Granule;
  hasHistory: boolean;
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
export function GranuleDetails({ kapsuleId, granule, hasHistory }: Props) {
  return (
    <div className={styles['details']}>
      <section>
        <h3>Data</h3>
        <Data granule={granule} />
      </section>
      {hasHistory && <GranuleHistory kapsuleId={kapsuleId} granule={granule} />}
    </div>
  );
}
