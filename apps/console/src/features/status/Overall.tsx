import type { StatusCheck } from '@kaptain/contract/status';
import { Alert } from 'antd';
import styles from './Status.module.css';

const names = (checks: readonly StatusCheck[]) => checks.map(({ name }) => name).join(', ');

/** The one sentence somebody in a hurry reads. */
export function Overall({ checks, isReachable }: { checks: readonly StatusCheck[]; isReachable: boolean }) {
  const errors = checks.filter(({ state }) => state === 'error');
  const warnings = checks.filter(({ state }) => state === 'warning');
  const [type, title] = !isReachable
    ? (['error', 'The service does not answer any more. What follows is how it was.'] as const)
    : errors.length > 0
      ? (['error', `Needs help now: ${names(errors)}`] as const)
      : warnings.length > 0
        ? (['warning', `Worth a look: ${names(warnings)}`] as const)
        : (['success', 'Everything is fine.'] as const);
  return <Alert className={styles['overall'] ?? ''} type={type} showIcon title={title} />;
}
