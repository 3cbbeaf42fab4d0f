import { App } from 'antd';
import type { ReactNode } from 'react';

interface Question {
  title: string;
  /** What will be lost. */
  content?: ReactNode;
  /** The message after success. */
  done: string;
  run: () => Promise<unknown>;
}

/** Asks before an action that can't be undone: Yes or Cancel; Cancel has the focus. */
export function useConfirm(): (question: Question) => void {
  const { modal, message } = App.useApp();
  return ({ title, content, done, run }) => {
    modal.confirm({
      title,
      content,
      okText: 'Yes',
      cancelText: 'Cancel',
      okButtonProps: { danger: true },
      focusable: { autoFocusButton: 'cancel' },
      // The dialog stays busy until the service answers, so that Yes sends one request.
      onOk: async () => {
        try {
          await run();
          void message.success(done);
        } catch (error) {
          void message.error(error instanceof Error ? error.message : String(error));
        }
      },
    });
  };
}
