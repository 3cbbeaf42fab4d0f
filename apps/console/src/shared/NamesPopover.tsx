import styles from './ListPopover.module.css';
import { ListPopover } from './ListPopover.tsx';

/** The number of names; the names themselves in a popover. */
export function NamesPopover({ names, title }: { names: readonly string[]; title: string }) {
  return (
    <ListPopover
      title={title}
      label={`${title}: ${names.length}`}
      count={names.length}
      className={styles['count']}
    >
      {names.map((name, index) => (
        <li key={`${index}-${name}`}>{name}</li>
      ))}
    </ListPopover>
  );
}
