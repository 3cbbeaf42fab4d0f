import type { ReactNode } from 'react';
import styles from './CodeBlock.module.css';
import { CodeBlock } from './CodeBlock.tsx';

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
// Larger JSON stays uncoloured: a span per token would slow the page down.
const COLOURED_CHARACTERS = 50_000;

function* coloured(json: string): Generator<ReactNode> {
  let done = 0;
  for (const match of json.matchAll(TOKEN)) {
    const [whole, text, colon] = match;
    if (match.index > done) yield json.slice(done, match.index);
    const kind = colon !== undefined ? 'name' : text !== undefined ? 'text' : 'other';
    yield (
      <span key={match.index} className={styles[kind]}>
        {whole}
      </span>
    );
    done = match.index + whole.length;
  }
  yield json.slice(done);
}

/** Any value as formatted JSON. */
export function JsonBlock({ label, value }: { label: string; value: unknown }) {
  const json = JSON.stringify(value, null, 2) ?? '';
  return (
    <CodeBlock label={label} text={json}>
      {json.length > COLOURED_CHARACTERS ? json : [...coloured(json)]}
    </CodeBlock>
  );
}
