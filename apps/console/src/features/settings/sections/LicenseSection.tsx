import { CheckCircleFilled, ExclamationCircleFilled } from '@ant-design/icons';
import { limits } from '@kaptain/contract/limits';
import type { LicenseSummary } from '@kaptain/contract/settings/generations';
import { Form, Input } from 'antd';
import { TimeText } from '../../../shared/TimeText.tsx';
import { useWords } from '../../../variants/use-variant.ts';
import { Section } from '../Section.tsx';
import styles from '../Settings.module.css';

/** Spec 3: a text area, with a summary of a signed license above it. */
export function LicenseSection({ license }: { license: LicenseSummary | undefined }) {
  const { service } = useWords();
  return (
    <Section section="license" title="License" description={`The text you were given for ${service}.`}>
      {license && license.kind !== 'none' && <Summary {...license} />}
      <Form.Item name={['license', 'LICENSE_TEXT']} label="License text">
        <Input.TextArea
          rows={6}
          className={styles['license'] ?? ''}
          maxLength={limits.licenseCharacters}
          autoComplete="off"
          spellCheck={false}
        />
      </Form.Item>
    </Section>
  );
}

function Summary({ kind, holder, expiresAt, isExpired, message }: LicenseSummary) {
  const isGood = kind !== 'invalid' && !isExpired;
  return (
    <div className={styles['summary']} data-ok={isGood}>
      {isGood ? <CheckCircleFilled aria-hidden /> : <ExclamationCircleFilled aria-hidden />}
      <div>
        <p>{message}</p>
        {(holder !== null || expiresAt !== null) && (
          <dl>
            {holder !== null && (
              <div>
                <dt>Holder</dt>
                <dd>{holder}</dd>
              </div>
            )}
            {expiresAt !== null && (
              <div>
                <dt>{isExpired ? 'Expired' : 'Expires'}</dt>
                <dd>
                  <TimeText value={expiresAt} />
                </dd>
              </div>
            )}
          </dl>
        )}
      </div>
    </div>
  );
}
