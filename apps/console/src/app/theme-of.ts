import { type MappingAlgorithm, type ThemeConfig, theme } from 'antd';
import type { Scheme } from '../shared/scheme.ts';
import type { Shades } from '../variants/variant.ts';

/** Replaces Ant Design's derived shades with the variant's, which are chosen for contrast. */
const withShades =
  ({ base, hover, active, soft, softHover, border }: Shades): MappingAlgorithm =>
  (seed, before) => ({
    ...(before ?? theme.defaultAlgorithm(seed)),
    colorPrimary: base,
    colorPrimaryHover: hover,
    colorPrimaryActive: active,
    colorPrimaryBg: soft,
    colorPrimaryBgHover: softHover,
    colorPrimaryBorder: border,
    colorPrimaryBorderHover: border,
    colorPrimaryText: base,
    colorPrimaryTextHover: hover,
    colorPrimaryTextActive: active,
    colorLink: base,
    colorLinkHover: hover,
    colorLinkActive: active,
    colorInfo: base,
  });

const neutral = {
  light: {
    colorError: '#c8232c',
    colorSuccess: '#1a7f37',
    colorSuccessBg: '#e6f5ea',
    colorSuccessBorder: '#a9d9b6',
    colorBgLayout: '#f6f7f9',
    colorTextSecondary: '#4a5361',
    colorTextTertiary: '#5c6675',
    colorTextDescription: '#5c6675',
    colorTextPlaceholder: '#6b7483',
  },
  dark: {
    colorError: '#ff7a7d',
    colorSuccess: '#4ac26b',
    colorBgLayout: '#0c0f14',
    colorBgContainer: '#14181f',
    colorBgElevated: '#1c222b',
    colorBorder: '#3a4350',
    colorBorderSecondary: '#252c36',
    colorText: '#e6eaf0',
    colorTextSecondary: '#b4bdca',
    colorTextTertiary: '#98a2b1',
    colorTextDescription: '#98a2b1',
    colorTextPlaceholder: '#8a94a4',
  },
};

export function themeOf(shades: Shades, scheme: Scheme, motion: boolean): ThemeConfig {
  const isDark = scheme === 'dark';
  // Text and ticks on the primary colour, which is light in the dark scheme.
  const onPrimary = isDark ? '#0b1220' : '#ffffff';
  const header = isDark ? '#1a1f27' : '#fafbfc';
  return {
    algorithm: [isDark ? theme.darkAlgorithm : theme.defaultAlgorithm, withShades(shades)],
    hashed: false,
    // The root element of index.html has this class, so that the variables reach every element.
    cssVar: { key: 'kaptain' },
    token: {
      fontFamily: '"Inter Variable", "Inter Fallback", system-ui, sans-serif',
      fontFamilyCode: 'ui-monospace, SFMono-Regular, "Cascadia Mono", Consolas, "Liberation Mono", monospace',
      borderRadius: 8,
      motion,
      motionDurationSlow: '0.2s',
      motionDurationMid: '0.15s',
      ...neutral[scheme],
    },
    components: {
      // A rounder box would look like a radio button.
      Checkbox: { borderRadiusSM: 4, colorWhite: onPrimary },
      Radio: { colorWhite: onPrimary },
      Steps: { colorTextLightSolid: onPrimary },
      Menu: {
        itemBorderRadius: 8,
        activeBarBorderWidth: 0,
        itemMarginInline: 8,
        subMenuItemBg: 'transparent',
        subMenuItemSelectedColor: 'inherit',
      },
      Table: {
        headerSplitColor: 'transparent',
        bodySortBg: 'transparent',
        headerBg: header,
        headerSortActiveBg: header,
        headerSortHoverBg: isDark ? '#222833' : '#f1f3f6',
      },
      Button: {
        primaryShadow: 'none',
        defaultShadow: 'none',
        primaryColor: onPrimary,
        dangerColor: isDark ? '#200a0b' : '#ffffff',
      },
    },
  };
}
