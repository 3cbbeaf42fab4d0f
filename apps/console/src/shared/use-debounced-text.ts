import { useEffect, useEffectEvent, useState } from 'react';

const PAUSE_MS = 250;

/** The text of a field at once, and debounced for the search that uses it. */
export function useDebouncedText(
  value: string,
  onSettled: (text: string) => void,
): [typed: string, setTyped: (text: string) => void] {
  const [typed, setTyped] = useState(value);
  const [seen, setSeen] = useState(value);
  const [sent, setSent] = useState(value);
  if (value !== seen) {
    setSeen(value);
    // Takes a value set from outside: Back, or a button that clears the search. The field's own value comes back late
    // and must not replace text typed since.
    if (value !== sent) {
      setSent(value);
      setTyped(value);
    }
  }
  const settle = useEffectEvent((text: string) => {
    setSent(text);
    onSettled(text);
  });
  useEffect(() => {
    if (typed === sent) return undefined;
    const timer = setTimeout(() => settle(typed), typed === '' ? 0 : PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, sent]);
  return [typed, setTyped];
}
