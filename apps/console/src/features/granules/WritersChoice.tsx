import type { Kapsule } from '@kaptain/contract/kapsules';
import { maySetWriters } from '@kaptain/contract/permissions';
import type { SessionUser } from '@kaptain/contract/session';
import type { Writers } from '@kaptain/contract/vocabulary';
import { App, Select } from 'antd';
import { useId } from 'react';
import { useSetWriters } from '../../api/kapsules.ts';
import { messageOf } from '../../shared/message-of.ts';
import { useWords } from '../../variants/use-variant.ts';
import styles from './WritersChoice.module.css';

/** The choice of writers of the kapsule, for ADMINs and the owner. Another service has no such choice. */
export function WritersChoice({ kapsule, me }: { kapsule: Kapsule; me: SessionUser }) {
  const { _id: id, writers } = kapsule;
  const label = useId();
  const words = useWords();
  const { message } = App.useApp();
  const change = useSetWriters();
  if (!writers || !maySetWriters(me, kapsule)) return null;
  const options: { value: Writers; label: string }[] = [
    { value: 'DELETE', label: 'Members who may write' },
    { value: 'READ', label: 'All who may read' },
    { value: 'EVERYONE', label: `Everyone on ${words.platform}` },
  ];
  return (
    <div className={styles['choice']}>
      <span id={label}>{`Who may save ${words.granule.many}`}</span>
      <Select<Writers>
        aria-labelledby={label}
        className={styles['select'] ?? ''}
        value={change.isPending ? change.variables.writers : writers}
        loading={change.isPending}
        options={options}
        onChange={(chosen) =>
          change.mutate(
            { id, writers: chosen },
            {
              onSuccess: () => void message.success(`Who may save ${words.granule.many} is set.`),
              onError: (error) => void message.error(messageOf(error)),
            },
          )
        }
      />
    </div>
  );
}
