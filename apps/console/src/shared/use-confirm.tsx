import { App } from 'antd';
import type { ReactNode } from 'react';

interface Question<Result> {
  title: string;
  /** The loss that the action causes. */
  content?: ReactNode;
  /** The buttons, where Yes and Cancel would not say what they do. */
  yes?: string;
  no?: string;
  /** The message after success, or how it follows from the result. */
  done: string | ((result: Result) => string);
  run: () => Promise<Result>;
}

/** Asks before an action that can't be undone: Yes or Cancel, or what the question names; the safe one has the focus. */
export function useConfirm(): <Result>(question: Question<Result>) => void {
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
          const result = await run();
          void message.success(typeof done === 'string' ? done : done(result));
        } catch (error) {
          void message.error(error instanceof Error ? error.message : String(error));
        }
      },
    });
  };
}
