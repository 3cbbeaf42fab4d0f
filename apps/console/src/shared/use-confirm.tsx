import { App } from 'antd';
import type { ReactNode } from 'react';

interface Question {
  title: string;
  /** What will be lost. */
  content?: ReactNode;
  /** Said when it was done. */
  done: string;
  run: () => Promise<unknown>;
}

/** Asks before something that can't be taken back: Yes or Cancel, and Cancel is the one under the Enter key. */
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
      // The dialog stays busy until the answer is there, so nothing can be asked for twice.
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
