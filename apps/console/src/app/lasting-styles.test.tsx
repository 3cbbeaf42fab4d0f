import { createCache, extractStyle, StyleProvider } from '@ant-design/cssinjs';
import { render } from '@testing-library/react';
import { Button } from 'antd';
import { describe, expect, it } from 'vitest';
import { lastingStyles } from './lasting-styles.ts';

/** The styles that are left when the only button has gone. */
function stylesAfter(cache: ReturnType<typeof createCache>) {
  const view = render(
    <StyleProvider cache={cache}>
      <Button />
    </StyleProvider>,
  );
  view.unmount();
  return extractStyle(cache, true);
}

describe('the generated styles', () => {
  it('stay when their last component has gone, which antd’s own do not', () => {
    expect(stylesAfter(lastingStyles())).toContain('.ant-btn');
    expect(stylesAfter(createCache())).not.toContain('.ant-btn');
  });
});
