import { Alert, Button, Form, type FormInstance, Modal } from 'antd';
import { type ReactNode, useEffect, useRef } from 'react';
import styles from './FormDialog.module.css';
import { useAskToDiscard, useUnsavedGuard } from './unsaved-changes.tsx';
import type { Dialog } from './use-dialog.ts';

interface Props<Values extends object> {
  title: string;
  okText: string;
  form: FormInstance<Values>;
  initialValues: Partial<Values>;
  /** Saves and closes; after a failure the dialog stays open with the entered values. */
  onSave: (values: Values) => void;
  /** There is nothing to save yet. */
  isWaiting?: boolean;
  isSaving: boolean;
  /** The message of the last failed save, if the dialog shows it. */
  failure?: string | undefined;
  dialog: Pick<Dialog<unknown>, 'isOpen' | 'close' | 'forget'>;
  width?: number;
  children: ReactNode;
}

/** Longer than a browser takes to show that the form is being saved. */
const DOUBLE_CLICK_MS = 1_000;

/** Keeps a second click from saving again, also before `isSaving` is rendered. */
function useOneSubmit(isSaving: boolean): () => boolean {
  const sentAt = useRef(-DOUBLE_CLICK_MS);
  // A new render shows that the save has begun or ended.
  useEffect(() => {
    sentAt.current = -DOUBLE_CLICK_MS;
  });
  return () => {
    const now = performance.now();
    if (isSaving || now - sentAt.current < DOUBLE_CLICK_MS) return false;
    sentAt.current = now;
    return true;
  };
}

/** A form in a dialog: Enter saves, Escape closes and asks before it discards entered values. */
export function FormDialog<Values extends object>(props: Props<Values>) {
  const { title, okText, form, initialValues, onSave, isSaving, failure, dialog } = props;
  const { width = 560, isWaiting = false } = props;
  const askToDiscard = useAskToDiscard();
  const maySubmit = useOneSubmit(isSaving);

  useUnsavedGuard(() => dialog.isOpen && form.isFieldsTouched());

  const close = () => {
    if (isSaving) return;
    if (!form.isFieldsTouched()) return dialog.close();
    askToDiscard(dialog.close);
  };

  return (
    <Modal
      open={dialog.isOpen}
      title={title}
      footer={null}
      onCancel={close}
      afterClose={dialog.forget}
      mask={{ closable: false }}
      width={width}
    >
      <Form<Values>
        form={form}
        layout="vertical"
        initialValues={initialValues}
        // Spec 5: a wrong value aborts the save silently; the field itself says what is wrong.
        scrollToFirstError={{ focus: true }}
        onFinish={(values) => {
          if (!isWaiting && maySubmit()) onSave(values);
        }}
      >
        <div className={styles['body']}>
          {failure !== undefined && (
            <Alert className={styles['alert'] ?? ''} type="error" showIcon title={failure} />
          )}
          {props.children}
        </div>
        <div className={styles['footer']}>
          <Button onClick={close}>Cancel</Button>
          <Button type="primary" htmlType="submit" disabled={isWaiting} loading={isSaving}>
            {okText}
          </Button>
        </div>
      </Form>
    </Modal>
  );
}
