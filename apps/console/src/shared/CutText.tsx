import { Hint } from './Hint.tsx';

/** The first characters of a text, and an ellipsis where there are more. */
export function cutAt(text: string, at: number): string {
  const characters = Array.from(text);
  return characters.length <= at ? text : `${characters.slice(0, at).join('')}…`;
}

/** Text cut after some characters, with the whole of it in a tooltip. */
export function CutText({ text, at }: { text: string; at: number }) {
  const shown = cutAt(text, at);
  if (shown === text) return text;
  return (
    <Hint title={text}>
      <span tabIndex={0} style={{ whiteSpace: 'nowrap' }}>
        {shown}
      </span>
    </Hint>
  );
}
