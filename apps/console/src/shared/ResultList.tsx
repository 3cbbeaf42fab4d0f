import { CheckCircleFilled, CloseCircleFilled, InfoCircleFilled } from '@ant-design/icons';
import type { ReactNode } from 'react';
import styles from './ResultList.module.css';

interface Result {
  /** Absent where the service does not say. */
  isGood: boolean | undefined;
  text: ReactNode;
}

const iconOf = (isGood: boolean | undefined) => {
  if (isGood === undefined) return [InfoCircleFilled, 'Result'] as const;
  return isGood ? ([CheckCircleFilled, 'Success'] as const) : ([CloseCircleFilled, 'Failure'] as const);
};

/** One line per result; Spec 9: the list scrolls at 60vh. */
export function ResultList({ label, results }: { label: string; results: readonly Result[] }) {
  return (
    // biome-ignore lint: the list scrolls, so the keyboard must reach it.
    <ul className={styles['list']} tabIndex={0} aria-label={label}>
      {results.map(({ isGood, text }, index) => {
        const [Icon, label] = iconOf(isGood);
        return (
          // The index is the key: two files may have the same name, and the order never changes.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index}>
            <Icon data-good={isGood} aria-label={label} />
            <span>{text}</span>
          </li>
        );
      })}
    </ul>
  );
}
