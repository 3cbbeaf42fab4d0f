import type { Kapsule } from '@kaptain/contract/kapsules';
import { Tooltip } from 'antd';
import { useWords } from '../../variants/use-variant.ts';
import styles from './KapsulesTable.module.css';

/** How many granules are not reloaded yet, and their share. */
export function NotReloadedCell({ counts }: { counts: Kapsule['granules'] }) {
  const { platform } = useWords();
  if (!counts) return <span aria-label="unknown">–</span>;
  const { total, notReloaded } = counts;
  if (notReloaded === 0) return '0';
  const number = notReloaded.toLocaleString('en-US');
  // Rounded up: never 0 % while a granule is not reloaded.
  const share = Math.ceil((notReloaded / total) * 100);
  return (
    <Tooltip title={`${number} (${share}%) not yet reloaded into ${platform}`}>
      <span className="also-spoken" data-spoken={` not yet reloaded into ${platform}`}>
        <small className={styles['share']}>{share}%</small> {number}
      </span>
    </Tooltip>
  );
}
