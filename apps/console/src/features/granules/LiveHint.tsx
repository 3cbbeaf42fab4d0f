import type { GranuleSummary } from '@kaptain/contract/granules';
import { Button } from 'antd';
import type { LiveCounts } from '../../api/granule-events.ts';
import styles from './Granules.module.css';

interface Props {
  live: LiveCounts;
  /** The counts as they were when the rows were fetched, and when that was. */
  shown: GranuleSummary;
  shownAt: number;
  onShow: () => void;
}

// What one does oneself comes back as an event a moment after the rows were fetched anew.
const OWN_ECHO_MS = 2000;

/** Says that there is something new instead of moving the rows under somebody's eyes. */
export function LiveHint({ live, shown, shownAt, onShow }: Props) {
  const { counts, at, isFirst } = live;
  const more = counts.total - shown.total;
  const isSame = more === 0 && counts.reloaded === shown.reloaded;
  if (isSame && (isFirst || at < shownAt + OWN_ECHO_MS)) return null;
  return (
    <div className={styles['bar']} role="status">
      {more > 0
        ? `${more.toLocaleString('en-US')} new ${more === 1 ? 'record' : 'records'} –`
        : 'The records have changed –'}
      <Button type="link" size="small" onClick={onShow}>
        show
      </Button>
    </div>
  );
}
