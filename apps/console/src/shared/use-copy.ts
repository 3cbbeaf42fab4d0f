import { App } from 'antd';

/** The old way: browsers offer their clipboard only on https and localhost, an intranet address often is neither. */
function copySelected(text: string): void {
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  // Inside a dialog, because its focus trap would take the focus back from anywhere else.
  (before?.closest('[role="dialog"]') ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  if (!isCopied) throw new Error('The browser did not copy.');
}

/** Spec 8: what is said about a copy. */
export function useCopy(): (text: string) => Promise<void> {
  const { message } = App.useApp();
  return async (text) => {
    try {
      const { clipboard } = navigator as Partial<Navigator>;
      if (clipboard) await clipboard.writeText(text);
      else copySelected(text);
      void message.success('Copy successfully!');
    } catch {
      void message.error('Copy failed!');
    }
  };
}
