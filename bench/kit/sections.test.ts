import { describe, expect, it } from 'vitest';
import { withSection } from './sections.ts';

const text = `# Results

## Pages

### Embedded

old

### PostgreSQL

kept

## Start

5 ms
`;

describe('withSection', () => {
  it('replaces one section and keeps all others', () => {
    const changed = withSection(text, ['Pages', 'Embedded'], 'new');
    expect(changed).toBe(text.replace('old', 'new'));
    expect(withSection(changed, ['Start'], '6 ms')).toBe(changed.replace('5 ms', '6 ms'));
  });

  it('adds a missing section where it belongs', () => {
    expect(withSection(text, ['Pages', 'MongoDB'], 'new')).toBe(
      text.replace('kept\n', 'kept\n\n### MongoDB\n\nnew\n'),
    );
    expect(withSection(text, ['Imports', 'MongoDB'], 'new')).toBe(
      `${text}\n## Imports\n\n### MongoDB\n\nnew\n`,
    );
  });

  it('changes nothing more when it is repeated', () => {
    const once = withSection(text, ['Imports', 'MongoDB'], 'new');
    expect(withSection(once, ['Imports', 'MongoDB'], 'new')).toBe(once);
  });
});
