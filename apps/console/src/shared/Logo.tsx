import { useVariant } from '../variants/use-variant.ts';
import styles from './Logo.module.css';

/** The variant's mark; the word beside it names it, so it is silent for screen readers. */
export function Logo({ size }: { size: number }) {
  const { mark } = useVariant();
  return (
    <svg className={styles['logo']} width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" />
      {mark}
    </svg>
  );
}
