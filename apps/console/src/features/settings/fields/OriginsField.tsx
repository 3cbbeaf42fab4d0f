import { DeleteOutlined } from '@ant-design/icons';
import { Button, Form, Input, Space } from 'antd';
import { IconAction } from '../../../shared/IconAction.tsx';
import { originOf } from '../host-names.ts';
import styles from '../Settings.module.css';

const ORIGINS = ['settings', 'corsAllowOrigins'];
const DRAFT = ['temporary', 'originDraft'];

/** Spec 5: an entry must parse as a URL and is stored as its origin. */
export function OriginsField({ label }: { label: string }) {
  const form = Form.useFormInstance();
  const origins = Form.useWatch<string[] | undefined>(ORIGINS, { form, preserve: true }) ?? [];

  const add = async () => {
    const typed = String(form.getFieldValue(DRAFT) ?? '');
    if (typed.trim() === '') return;
    try {
      const origin = originOf(typed);
      if (!origins.includes(origin)) form.setFieldValue(ORIGINS, [...origins, origin]);
      form.setFieldValue(DRAFT, '');
    } catch {
      // The rule of the field shows the message.
    }
    await form.validateFields([DRAFT]).catch(() => undefined);
  };

  return (
    <div>
      <Form.Item
        label={label}
        htmlFor="setting_temporary_originDraft"
        extra="The pages that may call this service from a browser, such as https://hub.example.com."
      >
        <Space.Compact block>
          <Form.Item
            name={DRAFT}
            noStyle
            validateTrigger={[]}
            rules={[
              {
                validator: async (_, typed = '') => {
                  if (String(typed).trim() !== '') originOf(String(typed));
                },
              },
            ]}
          >
            <Input
              placeholder="https://hub.example.com"
              autoComplete="off"
              spellCheck={false}
              maxLength={2000}
              onBlur={() => void add()}
              onKeyDown={(event) => {
                // Enter adds the entry and does not submit the form.
                if (event.key !== 'Enter') return;
                event.preventDefault();
                void add();
              }}
            />
          </Form.Item>
          <Button onClick={() => void add()} aria-label={`Add ${label}`}>
            Add
          </Button>
        </Space.Compact>
      </Form.Item>
      {origins.length > 0 && (
        <ul className={styles['origins']} aria-label={label}>
          {origins.map((origin) => (
            <li key={origin}>
              <code>{origin}</code>
              <IconAction
                title="Remove"
                label={`Remove ${origin}`}
                icon={<DeleteOutlined />}
                onClick={() =>
                  form.setFieldValue(
                    ORIGINS,
                    origins.filter((other) => other !== origin),
                  )
                }
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
