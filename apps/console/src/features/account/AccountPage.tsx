import { PageHeader } from '../../shared/PageHeader.tsx';
import { useScreenUser } from '../../shared/session-storage.ts';
import styles from './Account.module.css';
import { OwnData } from './OwnData.tsx';
import { OwnSessions } from './OwnSessions.tsx';
import { PasswordForm } from './PasswordForm.tsx';
import { SecondFactorCard } from './SecondFactorCard.tsx';

export function AccountPage() {
  const me = useScreenUser();
  if (!me) return null;
  return (
    <>
      <PageHeader
        title="My account"
        description="Who you are here, your password, your second factor and where you are logged in."
      />
      <div className={styles['cards']}>
        <OwnData me={me} />
        {/* The provider has the password and the second factor of its people. */}
        {me.isByProvider !== true && (
          <>
            <SecondFactorCard username={me.username} />
            <PasswordForm username={me.username} />
          </>
        )}
      </div>
      <OwnSessions />
    </>
  );
}
