import { App } from 'antd';

/** Copies by `execCommand`: browsers offer `navigator.clipboard` only on https and localhost, not on a plain http intranet. */
function copySelected(text: string): void {
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  // Inside an open dialog, whose focus trap would take the focus back from any other place.
  (before?.closest('[role="dialog"]') ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  if (!isCopied) throw new Error('The browser did not copy.');
}

/** Spec 8: copies a text and tells the result. */
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
