import { CheckCircleFilled, CloseCircleFilled, ExclamationCircleFilled } from '@ant-design/icons';
import type { StatusCheck } from '@kaptain/contract/status';
import { TimeText } from '../../shared/TimeText.tsx';
import styles from './Status.module.css';

const looks = {
  ok: ['OK', <CheckCircleFilled key="ok" aria-hidden />],
  warning: ['Warning', <ExclamationCircleFilled key="warning" aria-hidden />],
  error: ['Error', <CloseCircleFilled key="error" aria-hidden />],
} as const;

export function CheckList({ checks }: { checks: readonly StatusCheck[] }) {
  return (
    <ul className={styles['checks']} aria-label="Checks">
      {checks.map(({ name, state, sentence, at }) => {
        const [label, icon] = looks[state];
        return (
          <li key={name} data-state={state}>
            <span className={styles['icon']}>{icon}</span>
            <strong>{name}</strong>
            <span className={styles['sentence']}>
              {sentence} {at && <TimeText value={at} />}
            </span>
            <span>{label}</span>
          </li>
        );
      })}
    </ul>
  );
}
