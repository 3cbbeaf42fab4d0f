import { expect, it } from 'vitest';
import { linesOf } from './lines.ts';

const streamOf = (parts: Uint8Array[], onCancel: () => void = () => undefined) =>
  new ReadableStream<Uint8Array>({
    pull(controller) {
      const part = parts.shift();
      if (part) controller.enqueue(part);
      else controller.close();
    },
    cancel: onCancel,
  });

it('finds lines and characters that are cut anywhere', async () => {
  const bytes = new TextEncoder().encode('{"a":"Größe ✓"}\n\n{"b":"😀"}\nlast');
  for (let size = 1; size <= bytes.length; size++) {
    const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.slice(index * size, (index + 1) * size),
    );
    const lines: string[] = [];
    for await (const line of linesOf(streamOf(parts))) lines.push(line);
    expect(lines).toEqual(['{"a":"Größe ✓"}', '', '{"b":"😀"}', 'last']);
  }
});

it('ends the download when its reader stops early', async () => {
  let isCancelled = false;
  const endless = Array.from({ length: 1000 }, () => new TextEncoder().encode('x\n'));
  for await (const line of linesOf(streamOf(endless, () => (isCancelled = true)))) {
    expect(line).toBe('x');
    break;
  }
  expect(isCancelled).toBe(true);
});
