import type { LoginChallenge } from '@kaptain/contract/session';
import { useState } from 'react';
import { useVersion } from '../../api/about.ts';
import { useAppStatus, useSignInOptions } from '../../api/session.ts';
import { Logo } from '../../shared/Logo.tsx';
import { useVariant } from '../../variants/use-variant.ts';
import { InitForm, type InitOutcome } from './InitForm.tsx';
import { InitNotice } from './InitNotice.tsx';
import { LoginForm } from './LoginForm.tsx';
import styles from './LoginPage.module.css';
import { ProviderSignIn } from './ProviderSignIn.tsx';
import { SecondStep } from './SecondStep.tsx';

/** Spec 2: the login form, or the form for the first admin when the service has none yet. */
export function LoginPage() {
  const { words, claim, pageTitle } = useVariant();
  const { data: status } = useAppStatus();
  const { data: options } = useSignInOptions();
  const version = useVersion();
  const [outcome, setOutcome] = useState<InitOutcome>();
  const [challenge, setChallenge] = useState<LoginChallenge>();
  const needsAdmin = status === 'initializationNeeded';

  return (
    <div className={styles['page']}>
      <title>{`${needsAdmin ? 'Set up' : 'Log in'} · ${pageTitle}`}</title>
      <header className={styles['brand']}>
        <div className={styles['name']}>
          <Logo size={40} />
          <span>{words.service}</span>
        </div>
        <p>{claim}</p>
      </header>
      <main className={styles['main']}>
        <div className={styles['card']}>
          {status === undefined && <div className={styles['waiting']} aria-busy="true" />}
          {status === 'initialized' &&
            (challenge === undefined ? (
              <>
                <LoginForm isFresh={outcome?.kind === 'initialized'} onChallenge={setChallenge} />
                {typeof options?.provider === 'string' && <ProviderSignIn name={options.provider} />}
              </>
            ) : (
              <SecondStep {...challenge} onBack={() => setChallenge(undefined)} />
            ))}
          {needsAdmin && <InitForm onOutcome={setOutcome} />}
        </div>
        <p className={styles['version']}>{version}</p>
      </main>
      {outcome && <InitNotice outcome={outcome} />}
    </div>
  );
}
