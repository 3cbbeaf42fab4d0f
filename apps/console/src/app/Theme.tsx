import { StyleProvider } from '@ant-design/cssinjs';
import { messages } from '@kaptain/contract/messages';
import { ConfigProvider } from 'antd';
import { type ReactNode, useEffect } from 'react';
import { pageNonce } from '../shared/content-security.ts';
import { useScheme } from '../shared/scheme.ts';
import { useMediaQuery } from '../shared/use-media-query.ts';
import { useVariant } from '../variants/use-variant.ts';
import { lastingStyles } from './lasting-styles.ts';
import { themeOf } from './theme-of.ts';

const { required, number, range } = messages.generic;

/** Spec 5: the generic messages, once for all forms. */
const validateMessages = {
  required,
  types: { number, integer: number },
  number: { range },
};

const styles = lastingStyles();

/** Colours, shapes and motion of all components; our style sheets read the same values as `--ant-…`. */
export function Theme({ children }: { children: ReactNode }) {
  const variant = useVariant();
  const scheme = useScheme();
  const wantsStillness = useMediaQuery('(prefers-reduced-motion: reduce)');

  useEffect(() => {
    document.documentElement.dataset['scheme'] = scheme;
  }, [scheme]);

  return (
    <StyleProvider cache={styles}>
      <ConfigProvider
        csp={{ nonce: pageNonce() }}
        form={{ validateMessages }}
        wave={{ disabled: true }}
        theme={themeOf(variant.primary[scheme], scheme, !wantsStillness)}
      >
        {children}
      </ConfigProvider>
    </StyleProvider>
  );
}
