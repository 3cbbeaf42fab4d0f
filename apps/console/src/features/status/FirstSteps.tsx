import { CheckCircleFilled, ClockCircleOutlined } from '@ant-design/icons';
import type { StatusCheck } from '@kaptain/contract/status';
import { useKapsules } from '../../api/kapsules.ts';
import { useUsers } from '../../api/users.ts';
import { PageLink } from '../../shared/PageLink.tsx';
import { useWords } from '../../variants/use-variant.ts';
import { firstSteps } from './first-steps.ts';
import styles from './Status.module.css';

/** The open steps of a new installation; hidden when all are done. */
export function FirstSteps({ checks }: { checks: readonly StatusCheck[] }) {
  const words = useWords();
  const kapsules = useKapsules();
  const users = useUsers();
  if (!kapsules.isSuccess || !users.isSuccess) return null;
  const steps = firstSteps({ checks, kapsules: kapsules.data.length, users: users.data.length }, words);
  const done = steps.filter(({ isDone }) => isDone).length;
  if (done === steps.length) return null;
  return (
    <section className={styles['steps']} aria-labelledby="first-steps">
      <h2 id="first-steps">{`First steps: ${done} of ${steps.length} done`}</h2>
      <ol>
        {steps.map(({ title, text, isDone, to }) => (
          <li key={title} data-done={isDone}>
            <span className={styles['icon']}>
              {isDone ? <CheckCircleFilled aria-label="Done" /> : <ClockCircleOutlined aria-label="To do" />}
            </span>
            <strong>{to ? <PageLink to={to}>{title}</PageLink> : title}</strong>
            <span className={styles['sentence']}>{text}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
