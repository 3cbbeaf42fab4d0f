/** Red, green and blue from 0 to 255, and the opacity from 0 to 1. */
export type Rgba = readonly [red: number, green: number, blue: number, alpha: number];

/** What WCAG asks of text, and of lines and marks. */
const READABLE = 4.5;
const VISIBLE = 3;

/** A soft variant of the text keeps enough contrast from here on. */
const STRONG = 9;

const LIGHT_SURFACE = '#ffffff';
const DARK_SURFACE = '#333333';
const DARK_TEXT = '#404040';
/** One of the last two can be read on every colour. */
const TEXTS = [DARK_TEXT, '#fbfbfb', '#000000', '#ffffff'];
const DARK_ACCENT = '#005fa3';
const LIGHT_ACCENT = '#7cc4ff';

/** The colours of a theme, in the notation of CSS; undefined where it has none. */
interface ThemeColors {
  text: string | undefined;
  background: string | undefined;
  accent: string | undefined;
  /** What lies behind the object on the sheet. */
  behind: string | undefined;
}

interface ReadableColors {
  text: string;
  background: string;
  accent: string;
  /** The share of the text's colour in less important text. */
  soft: string;
  isDark: boolean;
}

/** The relative luminance of WCAG. */
function luminance([red, green, blue]: Rgba): number {
  const [r = 0, g = 0, b = 0] = [red, green, blue].map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: Rgba, other: Rgba): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

/**
 * Colours that can be read, as near to the theme's as possible. A theme without a background of its own gets the one behind
 * the object where its text is readable on it, and else a light or dark one.
 */
export function readableColors(
  theme: ThemeColors,
  parse: (color: string) => Rgba | undefined,
): ReadableColors {
  const rgbOf = (color: string): Rgba => parse(color) ?? [0, 0, 0, 0];
  const contrastOf = (one: string, other: string) => contrast(rgbOf(one), rgbOf(other));
  const isOpaque = (color: string | undefined): color is string =>
    color !== undefined && parse(color)?.[3] === 1;
  const wished = isOpaque(theme.text) ? theme.text : DARK_TEXT;
  const isReadable = (background: string) => contrastOf(wished, background) >= READABLE;
  const backgrounds = [theme.background, theme.behind, LIGHT_SURFACE, DARK_SURFACE].filter(isOpaque);
  // The theme's own background is kept whatever its text.
  const background = isOpaque(theme.background)
    ? theme.background
    : (backgrounds.find(isReadable) ?? LIGHT_SURFACE);
  const text = [wished, ...TEXTS].find((color) => contrastOf(color, background) >= READABLE) ?? DARK_TEXT;
  const accents = [theme.accent, DARK_ACCENT, LIGHT_ACCENT].filter(isOpaque);
  return {
    text,
    background,
    accent: accents.find((accent) => contrastOf(accent, background) >= VISIBLE) ?? text,
    soft: contrastOf(text, background) >= STRONG ? '80%' : '100%',
    isDark: luminance(rgbOf(background)) < luminance(rgbOf(text)),
  };
}
