import { ButtonPopover } from './ButtonPopover.tsx';
import styles from './NamesPopover.module.css';

/** The number of names; the names themselves in a popover. */
export function NamesPopover({ names, title }: { names: readonly string[]; title: string }) {
  if (names.length === 0) return '0';
  const list = (
    // The list scrolls, so the keyboard must reach it.
    <ul className={styles['names']} tabIndex={0} aria-label={title}>
      {names.map((name, index) => (
        <li key={`${index}-${name}`}>{name}</li>
      ))}
    </ul>
  );
  return (
    <ButtonPopover
      title={title}
      content={list}
      placement="bottom"
      type="link"
      size="small"
      className={styles['count'] ?? ''}
      aria-label={`${title}: ${names.length}`}
    >
      {names.length}
    </ButtonPopover>
  );
}
