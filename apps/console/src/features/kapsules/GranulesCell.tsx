import type { Kapsule } from '@kaptain/contract/kapsules';
import { Tooltip } from 'antd';
import { useWords } from '../../variants/use-variant.ts';
import styles from './KapsulesTable.module.css';

/** The number of granules, and the share that is not reloaded yet. */
export function GranulesCell({ counts }: { counts: Kapsule['granules'] }) {
  const { platform } = useWords();
  if (!counts) return <span aria-label="unknown">–</span>;
  const { total, notReloaded } = counts;
  const share = total > 0 ? Math.ceil((notReloaded / total) * 100) : 0;
  return (
    <span className={styles['granules']}>
      {notReloaded > 0 && (
        <Tooltip title={`${notReloaded.toLocaleString('en-US')} not yet reloaded into ${platform}`}>
          <small>
            {share}%<span> not reloaded</span>
          </small>
        </Tooltip>
      )}
      <span>{total.toLocaleString('en-US')}</span>
    </span>
  );
}
