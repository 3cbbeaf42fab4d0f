import { useVariant } from '../variants/use-variant.ts';
import styles from './Logo.module.css';

/** The mark of the variant, hidden from screen readers: the name stands beside it. */
export function Logo({ size }: { size: number }) {
  const { mark } = useVariant();
  return (
    <svg className={styles['logo']} width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" />
      {mark}
    </svg>
  );
}
