import { useEffect, useEffectEvent, useState } from 'react';

const PAUSE_MS = 250;

/** What is being typed, at once for the field and, after a short pause, for whoever works with it. */
export function useDebouncedText(
  value: string,
  onSettled: (text: string) => void,
): [typed: string, setTyped: (text: string) => void] {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  // Somebody else changed it: Back, or a button that clears the search.
  if (value !== known) {
    setKnown(value);
    setTyped(value);
  }
  const settle = useEffectEvent((text: string) => {
    setKnown(text);
    onSettled(text);
  });
  useEffect(() => {
    if (typed === known) return undefined;
    const timer = setTimeout(() => settle(typed), typed === '' ? 0 : PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, known]);
  return [typed, setTyped];
}
