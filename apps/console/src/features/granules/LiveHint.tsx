import type { GranuleSummary } from '@kaptain/contract/granules';
import { Button } from 'antd';
import type { LiveCounts } from '../../api/granule-events.ts';
import { useWords } from '../../variants/use-variant.ts';
import styles from './Granules.module.css';
import { liveHintText } from './live-hint-text.ts';

interface Props {
  live: LiveCounts;
  /** The counts at the time the rows were fetched. */
  shown: GranuleSummary;
  shownAt: number;
  onShow: () => void;
}

/** Says that there are changes instead of moving the rows while the user reads them. */
export function LiveHint({ live, shown, shownAt, onShow }: Props) {
  const text = liveHintText(live, shown, shownAt, useWords().granule);
  if (text === undefined) return null;
  return (
    <>
      <span role="status" className={styles['hint']}>
        {text}
      </span>
      <Button type="link" size="small" onClick={onShow}>
        show
      </Button>
    </>
  );
}
