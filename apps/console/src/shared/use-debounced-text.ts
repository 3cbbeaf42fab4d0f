import { useEffect, useEffectEvent, useState } from 'react';

const PAUSE_MS = 250;

/** What is being typed, at once for the field and, after a short pause, for whoever works with it. */
export function useDebouncedText(
  value: string,
  onSettled: (text: string) => void,
): [typed: string, setTyped: (text: string) => void] {
  const [typed, setTyped] = useState(value);
  const [seen, setSeen] = useState(value);
  const [sent, setSent] = useState(value);
  if (value !== seen) {
    setSeen(value);
    // Somebody else changed it: Back, or a button that clears the search. What was sent from here comes back late, and
    // must not undo what was typed meanwhile.
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
