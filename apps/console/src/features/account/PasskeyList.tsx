import { DeleteOutlined, EditOutlined } from '@ant-design/icons';
import type { Passkey } from '@kaptain/contract/passkeys';
import { useRemovePasskey } from '../../api/second-factor.ts';
import { IconAction } from '../../shared/IconAction.tsx';
import { TimeText } from '../../shared/TimeText.tsx';
import { useConfirm } from '../../shared/use-confirm.tsx';
import { useDialog } from '../../shared/use-dialog.ts';
import styles from './Account.module.css';
import { PasskeyNameDialog } from './PasskeyNameDialog.tsx';

interface Props {
  passkeys: readonly Passkey[];
  /** Why the last one can't be removed. */
  blockedBy: string | undefined;
  /** The consequence of removing the last factor. */
  consequence: string;
}

export function PasskeyList({ passkeys, blockedBy, consequence }: Props) {
  const remove = useRemovePasskey();
  const confirm = useConfirm();
  const naming = useDialog<Passkey>();
  return (
    <>
      <ul className={styles['passkeys']} aria-label="Passkeys">
        {passkeys.map((passkey) => {
          const { _id, name, host, createdAt, lastUsedAt } = passkey;
          return (
            <li key={_id}>
              <div>
                <strong>{name}</strong>
                <p>
                  added <TimeText value={createdAt} />,{' '}
                  {lastUsedAt === null ? (
                    'never used'
                  ) : (
                    <>
                      last used <TimeText value={lastUsedAt} />
                    </>
                  )}
                  {host !== location.hostname && `, works at ${host} only`}
                </p>
              </div>
              <IconAction
                title="Rename"
                label={`Rename ${name}`}
                icon={<EditOutlined />}
                onClick={() => naming.open(passkey)}
              />
              <IconAction
                title="Remove"
                label={`Remove ${name}`}
                icon={<DeleteOutlined />}
                danger
                blockedBy={blockedBy}
                onClick={() =>
                  confirm({
                    title: `Are you sure to remove the passkey ${name}?`,
                    content: consequence,
                    done: 'The passkey is removed.',
                    run: () => remove.mutateAsync(_id),
                  })
                }
              />
            </li>
          );
        })}
      </ul>
      {naming.about && <PasskeyNameDialog passkey={naming.about} dialog={naming} />}
    </>
  );
}
