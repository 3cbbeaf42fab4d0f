import { useEffect, useEffectEvent } from 'react';
import { isTyping } from '../shared/keyboard.ts';

/** `/` focuses the search of the page, `?` lists the shortcuts, Ctrl/⌘-K opens the palette. */
export function useShortcuts({ palette, help }: { palette: () => void; help: () => void }): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      palette();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (event.key === '?') help();
    if (event.key === '/') {
      const search = document.querySelector<HTMLInputElement>('main input[type="search"]');
      if (!search) return;
      event.preventDefault();
      search.focus();
      search.select();
    }
  });
  useEffect(() => {
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}
