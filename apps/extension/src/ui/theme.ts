import { element } from './element.ts';
import { type Rgba, readableColors } from './readable-colors.ts';

/** The theme of the platform. */
interface SheetTheme {
  getStyle(basePath: string, path: string, attribute: string): string | undefined;
}

const OBJECT = 'object.straightTableV2';

/** The paths in the theme for each style: the first one that has a value wins. */
const paths = {
  text: [
    [OBJECT, 'content', 'color'],
    ['object', '', 'color'],
    ['', '', 'color'],
  ],
  background: [
    [OBJECT, '', 'backgroundColor'],
    ['object', '', 'backgroundColor'],
    ['', '', 'backgroundColor'],
  ],
  accent: [['', 'dataColors', 'primaryColor']],
  font: [
    [OBJECT, 'content', 'fontFamily'],
    ['', '', 'fontFamily'],
  ],
} as const;

export type ThemeStyles = Record<keyof typeof paths, string | undefined>;

const isUsable = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && !/^(transparent|inherit|none)$/i.test(value);

/** What the theme says at the moment: the platform changes the same object when another theme is chosen. */
export function stylesOf(theme: SheetTheme | undefined): ThemeStyles {
  const styleOf = (candidates: (typeof paths)[keyof typeof paths]) =>
    candidates.map(([base, path, attribute]) => theme?.getStyle(base, path, attribute)).find(isUsable);
  return {
    text: styleOf(paths.text),
    background: styleOf(paths.background),
    accent: styleOf(paths.accent),
    font: styleOf(paths.font),
  };
}

/** Reads a colour in any notation of CSS by the browser, which answers `rgb(…)` or `rgba(…)`. */
function parseWith(probe: HTMLElement, color: string): Rgba | undefined {
  probe.style.color = '';
  probe.style.color = color;
  if (probe.style.color === '') return undefined;
  const parts = getComputedStyle(probe).color.match(/[\d.]+/g) ?? [];
  const [red, green, blue, alpha = 1] = parts.map(Number);
  return red === undefined || green === undefined || blue === undefined
    ? undefined
    : [red, green, blue, alpha];
}

/** The first opaque background around an element: the object's on the sheet, or the sheet's. */
function behind(target: HTMLElement): string | undefined {
  for (let around = target.parentElement; around; around = around.parentElement) {
    const color = getComputedStyle(around).backgroundColor;
    if (color.startsWith('rgb(')) return color;
  }
  return undefined;
}

/** Gives an element the font of the sheet's theme and its colours, as far as they can be read. */
export function applyTheme(target: HTMLElement, { font, ...styles }: ThemeStyles): void {
  const probe = element('span');
  // Not inside: browsers compute no style beside a shadow root.
  target.parentElement?.append(probe);
  const colors = readableColors({ ...styles, behind: behind(target) }, (color) => parseWith(probe, color));
  probe.remove();
  const { style } = target;
  style.setProperty('--text', colors.text);
  style.setProperty('--background', colors.background);
  style.setProperty('--accent', colors.accent);
  style.setProperty('--soft', colors.soft);
  style.setProperty('--danger', colors.isDark ? '#ff8095' : '#c8002b');
  if (font === undefined) style.removeProperty('--font');
  else style.setProperty('--font', font);
  // For the browser's own controls and scrollbars.
  style.colorScheme = colors.isDark ? 'dark' : 'light';
}
