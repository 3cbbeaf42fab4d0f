import { Modal } from 'antd';
import { useEffect, useRef } from 'react';
import { useProofQuestion } from '../shared/identity.ts';
import { ProofForm } from './ProofForm.tsx';
import { ProviderProof } from './ProviderProof.tsx';

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
        // A user who was faster than the motion keeps the place of their choice.
        if (!isOpen || body.current?.contains(document.activeElement)) return;
        body.current?.querySelector<HTMLElement>('[data-first]')?.focus();
      }}
    >
      <div ref={body}>
        {question?.methods.includes('signIn') ? (
          <ProviderProof onAnswer={question.answer} />
        ) : (
          question && <ProofForm methods={question.methods} onAnswer={question.answer} />
        )}
      </div>
    </Modal>
  );
}
