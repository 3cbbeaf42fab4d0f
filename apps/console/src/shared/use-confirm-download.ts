import { App } from 'antd';
import type { ReactNode } from 'react';
import { messageOf } from './message-of.ts';

interface Question {
  title: string;
  content: ReactNode;
  run: () => Promise<void>;
}

/** Spec 9: a confirmation precedes every export. */
export function useConfirmDownload(): (question: Question) => void {
  const { modal, message } = App.useApp();
  return ({ title, content, run }) => {
    modal.confirm({
      title,
      content,
      okText: 'Yes',
      cancelText: 'Cancel',
      onOk: async () => {
        try {
          await run();
        } catch (error) {
          void message.error(messageOf(error));
        }
      },
    });
  };
}
