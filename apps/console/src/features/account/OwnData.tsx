import type { SessionUser } from '@kaptain/contract/session';
import { useGroupsOf } from '../../api/groups.ts';
import { CopyText } from '../../shared/CopyText.tsx';
import { useWords } from '../../variants/use-variant.ts';
import styles from './Account.module.css';

export function OwnData({ me }: { me: SessionUser }) {
  const { kapsule } = useWords();
  // An ADMIN sees all kapsules without any group.
  const { data: groups } = useGroupsOf(me.userId, { enabled: me.role === 'USER' });
  const rows: [term: string, value: React.ReactNode][] = [
    ['User Name', <strong key="name">{me.username}</strong>],
    ['User ID', <CopyText key="id" text={me.userId} />],
    ['Role', me.role],
  ];
  if (groups) rows.push(['Groups', groups.map(({ groupname }) => groupname).join(', ') || 'None']);
  if (me.isCreate !== undefined) rows.push([`Can Create ${kapsule.One}`, me.isCreate ? 'Yes' : 'No']);

  return (
    <section className={styles['card']} aria-labelledby="own-data">
      <h2 id="own-data">About you</h2>
      <dl className={styles['data']}>
        {rows.map(([term, value]) => (
          <div key={term} style={{ display: 'contents' }}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
