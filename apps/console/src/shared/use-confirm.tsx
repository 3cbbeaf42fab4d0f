import { App } from 'antd';
import type { ReactNode } from 'react';

interface Question {
  title: string;
  /** What will be lost. */
  content?: ReactNode;
  /** The buttons, where Yes and Cancel would not say what they do. */
  yes?: string;
  no?: string;
  /** The message after success. */
  done: string;
  run: () => Promise<unknown>;
}

/** Asks before an action that can't be undone: Yes or Cancel, or what the question names; the safe one has the focus. */
export function useConfirm(): (question: Question) => void {
  const { modal, message } = App.useApp();
  return ({ title, content, yes = 'Yes', no = 'Cancel', done, run }) => {
    modal.confirm({
      title,
      content,
      okText: yes,
      cancelText: no,
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
