import type { Granule } from '@kaptain/contract/granules';
import { JsonBlock } from '../../shared/JsonBlock.tsx';
import { GranuleHistory } from './GranuleHistory.tsx';
import styles from './Granules.module.css';
import { hasData } from './has-data.ts';

interface Props {
  kapsuleId: string;
  granule: Granule;
  hasHistory: boolean;
}

/** Spec 2: the data as formatted JSON when it exists; beside it, how it came to be. */
export function GranuleDetails({ kapsuleId, granule, hasHistory }: Props) {
  return (
    <div className={styles['details']}>
      <section>
        <h3>Data</h3>
        {hasData(granule) ? <JsonBlock label="Data" value={granule.data} /> : <p>No data.</p>}
      </section>
      {hasHistory && <GranuleHistory kapsuleId={kapsuleId} granuleId={granule._id} />}
    </div>
  );
}
