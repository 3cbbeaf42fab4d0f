import { Logo } from '../shared/Logo.tsx';
import { useVariant } from '../variants/use-variant.ts';
import styles from './Brand.module.css';

export function Brand({ isCollapsed = false }: { isCollapsed?: boolean }) {
  const { words } = useVariant();
  return (
    <div className={styles['brand']} data-collapsed={isCollapsed}>
      <Logo size={28} />
      {!isCollapsed && <span>{words.service}</span>}
    </div>
  );
}
