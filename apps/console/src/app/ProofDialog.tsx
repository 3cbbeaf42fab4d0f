import { Button, Modal } from 'antd';
import { useEffect, useRef } from 'react';
import { logOut } from '../api/session.ts';
import { useProofQuestion } from '../shared/identity.ts';
import styles from './ProofDialog.module.css';
import { ProofForm } from './ProofForm.tsx';

/** Above the question of an action that waits for this dialog (2000), below messages (2010). */
const LEVEL = 2005;

/** Asks who the user is, when the service wants a recent proof before a sensitive action. */
export function ProofDialog() {
  const question = useProofQuestion();
  const body = useRef<HTMLDivElement>(null);

  // The waiting call gets its refusal when the shell goes away.
  useEffect(() => () => question?.answer(false), [question]);

  return (
    <Modal
      open={question !== undefined}
      title="Confirm that it is you"
      footer={null}
      width={420}
      zIndex={LEVEL}
      // The password must not stay in the page.
      destroyOnHidden
      mask={{ closable: false }}
      onCancel={() => question?.answer(false)}
      afterOpenChange={(isOpen) => {
        if (isOpen) body.current?.querySelector<HTMLElement>('[data-first]')?.focus();
      }}
    >
      <div ref={body}>
        {question?.methods.includes('signIn') ? (
          <>
            <p className={styles['why']}>
              This action asks again after 15 minutes. Log out and sign in again, then repeat it.
            </p>
            <div className={styles['buttons']}>
              <Button onClick={() => question.answer(false)}>Cancel</Button>
              <Button type="primary" onClick={logOut} data-first>
                Log out
              </Button>
            </div>
          </>
        ) : (
          question && <ProofForm methods={question.methods} onAnswer={question.answer} />
        )}
      </div>
    </Modal>
  );
}
