import { ConnectionMode } from '@kaptain/contract/vocabulary';
import { Alert, Form, Segmented } from 'antd';
import { useMediaQuery } from '../../../shared/use-media-query.ts';
import { useWords } from '../../../variants/use-variant.ts';
import { useConnectionTest } from '../fields/ConnectionTest.tsx';
import { textOf } from '../paths.ts';
import { Section } from '../Section.tsx';
import styles from '../Settings.module.css';
import { platformModes } from './platform-modes.tsx';

const MODE = ['settings', 'qlikHost'];

const modeNames: Record<ConnectionMode, string> = {
  CERT: 'Certificate',
  JWT: 'JWT',
  SAAS: 'SaaS',
  DESKTOP: 'Desktop',
};

/** Spec 4: on load the mode is the saved qlikHost; an unknown one is shown as an error. */
export function PlatformSection() {
  const { platform, service } = useWords();
  const form = Form.useFormInstance();
  const isNarrow = useMediaQuery('(max-width: 359.98px)');
  const saved = textOf(Form.useWatch<unknown>(MODE, form));
  const mode = ConnectionMode.safeParse(saved).data;
  const Fields = mode && platformModes[mode];
  const { button, result } = useConnectionTest({
    target: 'platform',
    name: platform,
    fields: [
      MODE,
      ['hosts', mode ?? 'CERT'],
      ...(mode === 'CERT' || mode === 'JWT'
        ? [
            ['settings', 'userId'],
            ['settings', 'userDirectory'],
          ]
        : []),
    ],
  });

  return (
    <Section
      section="platform"
      title="Platform Connection"
      description={`How ${service} talks to ${platform}: to start reloads and to read their logs.`}
      action={mode && button}
    >
      {result}
      <Form.Item name={MODE} label="Connection mode">
        <Segmented
          vertical={isNarrow}
          aria-label="Connection mode"
          options={ConnectionMode.options.map((value) => ({ value, label: modeNames[value] }))}
        />
      </Form.Item>
      {Fields ? (
        <Fields />
      ) : (
        <Alert
          className={styles['unknown'] ?? ''}
          type="error"
          showIcon
          title="Something Error!"
          description={`The saved connection mode “${saved}” is not known. Choose one of the modes above.`}
        />
      )}
    </Section>
  );
}
