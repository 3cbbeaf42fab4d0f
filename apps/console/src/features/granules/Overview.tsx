import type { GranuleSummary } from '@kaptain/contract/granules';
import { useWords } from '../../variants/use-variant.ts';
import { ChangesChart } from './ChangesChart.tsx';
import styles from './Granules.module.css';

interface Props {
  kapsuleId: string;
  counts: GranuleSummary;
  /** False before the first answer. */
  isKnown: boolean;
  hasExtras: boolean;
}

/** Spec 2: Total Records, Reloaded and Not Reloaded; and how they changed. */
export function Overview({ kapsuleId, counts, isKnown, hasExtras }: Props) {
  const { platform } = useWords();
  const share = counts.total > 0 ? (counts.reloaded / counts.total) * 100 : 0;
  const facts = [
    ['Total Records', counts.total],
    ['Reloaded', counts.reloaded],
    ['Not Reloaded', counts.notReloaded],
  ] as const;
  // Rounded down: never 100 % while a granule is not reloaded.
  const percent = `${Math.floor(share)}% reloaded into ${platform}`;

  return (
    <div className={styles['overview']}>
      <section className={styles['card']} aria-label="Summary">
        <dl className={styles['counts']}>
          {facts.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{isKnown ? value.toLocaleString('en-US') : '–'}</dd>
            </div>
          ))}
        </dl>
        <div>
          <div className={styles['share']} aria-hidden="true">
            <div style={{ width: `${share}%` }} />
          </div>
          <p className={styles['percent']}>{isKnown ? percent : '\u00a0'}</p>
        </div>
      </section>
      <ChangesChart kapsuleId={kapsuleId} isWanted={hasExtras} />
    </div>
  );
}
