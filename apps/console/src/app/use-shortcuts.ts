import { useEffect, useEffectEvent } from 'react';
import { isTyping } from '../shared/keyboard.ts';
import { turnPage } from './turn-page.ts';

const turns: Partial<Record<string, 1 | -1>> = { PageDown: 1, PageUp: -1 };

/** `/` focuses the search of the page, `?` lists the shortcuts, Ctrl/⌘-K opens the palette, Alt with Page Up and Down turns pages. */
export function useShortcuts({ palette, help }: { palette: () => void; help: () => void }): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      palette();
      return;
    }
    const step = event.altKey ? turns[event.key] : undefined;
    const isInDialog = event.target instanceof Element && event.target.closest('[role="dialog"]') !== null;
    if (step && !isInDialog && turnPage(step)) event.preventDefault();
    if (event.ctrlKey || event.metaKey || event.altKey || isInDialog || isTyping(event.target)) return;
    const search = document.querySelector<HTMLInputElement>('main input[type="search"]');
    if (event.key === '?') help();
    else if (event.key === '/' && search) {
      search.focus();
      search.select();
    } else return;
    // A select that has the focus would open.
    event.preventDefault();
    event.stopPropagation();
  });
  useEffect(() => {
    addEventListener('keydown', onKey, { capture: true });
    return () => removeEventListener('keydown', onKey, { capture: true });
  }, []);
}
