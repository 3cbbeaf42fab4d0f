import type { ConnectionMode } from '@kaptain/contract/vocabulary';
import { Checkbox, Form } from 'antd';
import type { ReactNode } from 'react';
import { useWords } from '../../../variants/use-variant.ts';
import { FieldGrid } from '../fields/FieldGrid.tsx';
import { PlatformFileField } from '../fields/PlatformFileField.tsx';
import { hostNameOf, withPort } from '../host-names.ts';
import styles from '../Settings.module.css';
import { hostGroups, platformUserGroup } from '../setting-groups.ts';
import { isCertificateUsed, type SettingsValues } from '../settings-values.ts';
import { useSettingsContext } from '../use-settings-form.ts';

const engine = { placeholder: 'server.example.com:4747', tidy: (typed: string) => withPort(typed, 4747) };
const repository = { placeholder: 'server.example.com:4242', tidy: (typed: string) => withPort(typed, 4242) };
const LOCAL = ['hosts', 'CERT', 'useQlikLocalCertificates'];

function CertificateMode() {
  const words = useWords();
  const user = platformUserGroup(words);
  const host = hostGroups(words).CERT;
  const form = Form.useFormInstance<SettingsValues>();
  const { initial, isTesting } = useSettingsContext();
  const isLocal = Form.useWatch<boolean | undefined>(LOCAL, form) !== false;
  const isNeeded = () =>
    isTesting() ||
    [initial, form.getFieldsValue(true) as SettingsValues].some((values) => isCertificateUsed(values));
  return (
    <>
      <FieldGrid {...user} isNeeded={isNeeded} />
      <FieldGrid {...host} isNeeded={isNeeded} more={{ hostname: engine, qrsHostname: repository }} />
      <Form.Item
        name={LOCAL}
        valuePropName="checked"
        extra={`The certificates ${words.platform} has exported on this machine.`}
      >
        <Checkbox>{`Use ${words.platform} local certificates`}</Checkbox>
      </Form.Item>
      {!isLocal && (
        <div className={styles['grid']}>
          <PlatformFileField path={['hosts', 'CERT', 'certFile']} label="Certificate File" />
          <PlatformFileField path={['hosts', 'CERT', 'keyFile']} label="Key File" />
          <PlatformFileField path={['hosts', 'CERT', 'caFile']} label="Root File" />
        </div>
      )}
    </>
  );
}

function JwtMode() {
  const words = useWords();
  const user = platformUserGroup(words);
  const host = hostGroups(words).JWT;
  return (
    <>
      {/* Spec 5 requires them with a certificate only; without them the connection test says what is missing. */}
      <FieldGrid at={user.at} fields={user.fields.map(({ key, label, kind }) => ({ key, label, kind }))} />
      <FieldGrid
        {...host}
        more={{ hostname: { placeholder: 'server.example.com' }, qrsHostname: repository }}
      />
      <div className={styles['grid']}>
        <PlatformFileField path={['hosts', 'JWT', 'keyFile']} label="Key File" />
      </div>
    </>
  );
}

function SaasMode() {
  const host = hostGroups(useWords()).SAAS;
  // Spec 5: a full URL is reduced to its host name on blur.
  return (
    <FieldGrid {...host} more={{ hostname: { placeholder: 'tenant.eu.qlikcloud.com', tidy: hostNameOf } }} />
  );
}

function DesktopMode() {
  const { platform } = useWords();
  return (
    <p className={styles['note']}>
      Nothing to enter: {platform} Desktop on this machine is reached at <code>localhost:9076</code>, without
      encryption.
    </p>
  );
}

export const platformModes: Record<ConnectionMode, () => ReactNode> = {
  CERT: CertificateMode,
  JWT: JwtMode,
  SAAS: SaasMode,
  DESKTOP: DesktopMode,
};
