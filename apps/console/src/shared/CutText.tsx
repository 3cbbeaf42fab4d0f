import { Tooltip } from 'antd';

/** Text cut after some characters, with the whole of it in a tooltip. */
export function CutText({ text, at }: { text: string; at: number }) {
  const characters = Array.from(text);
  if (characters.length <= at) return text;
  return (
    <Tooltip title={text}>
      <span tabIndex={0} style={{ whiteSpace: 'nowrap' }}>{`${characters.slice(0, at).join('')}…`}</span>
    </Tooltip>
  );
}
