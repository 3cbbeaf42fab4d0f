import { Button, Checkbox } from 'antd';
import { useState } from 'react';
import { saveFile } from '../../shared/save-file.ts';
import { useUnsavedGuard } from '../../shared/unsaved-changes.tsx';
import { recoveryCodes } from '../../shared/unsaved-forms.ts';
import { useCopy } from '../../shared/use-copy.ts';
import { useWords } from '../../variants/use-variant.ts';
import styles from './Account.module.css';

/** The recovery codes, which are shown this once. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const { service } = useWords();
  const copy = useCopy();
  const [isStored, setStored] = useState(false);
  useUnsavedGuard(() => !isStored, recoveryCodes);
  const text = codes.join('\n');
  return (
    <>
      <p className={styles['text']}>
        Each of these recovery codes replaces the second factor once, for example when the phone is lost. They
        are shown only now.
      </p>
      <ul className={styles['codes']} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className={styles['buttons']}>
        <Button onClick={() => void copy(text)}>Copy</Button>
        <Button
          onClick={() =>
            saveFile('recovery-codes.txt', `${service}: recovery codes\n\n${text}\n`, 'text/plain')
          }
        >
          Save as file
        </Button>
      </div>
      <div className={styles['finish']}>
        <Checkbox checked={isStored} onChange={({ target }) => setStored(target.checked)}>
          I have stored the codes
        </Checkbox>
        <Button type="primary" disabled={!isStored} onClick={onDone}>
          Done
        </Button>
      </div>
    </>
  );
}
