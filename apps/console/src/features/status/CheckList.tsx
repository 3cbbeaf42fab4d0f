import { CheckCircleFilled, CloseCircleFilled, ExclamationCircleFilled } from '@ant-design/icons';
import type { StatusCheck } from '@kaptain/contract/status';
import { PageLink } from '../../shared/PageLink.tsx';
import { TimeText } from '../../shared/TimeText.tsx';
import { useWords } from '../../variants/use-variant.ts';
import { checkName, checkPath } from './check-path.ts';
import styles from './Status.module.css';

const looks = {
  ok: ['OK', <CheckCircleFilled key="ok" aria-hidden />],
  warning: ['Warning', <ExclamationCircleFilled key="warning" aria-hidden />],
  error: ['Error', <CloseCircleFilled key="error" aria-hidden />],
} as const;

export function CheckList({ checks }: { checks: readonly StatusCheck[] }) {
  const words = useWords();
  return (
    <ul className={styles['checks']} aria-label="Checks">
      {checks.map(({ name, state, sentence, at }) => {
        const [label, icon] = looks[state];
        const [path, shown] = [checkPath(name), checkName(name, words)];
        return (
          <li key={name} data-state={state}>
            <span className={styles['icon']}>{icon}</span>
            <strong>{path ? <PageLink to={path}>{shown}</PageLink> : shown}</strong>
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
