/** The theme of the platform. */
interface SheetTheme {
  getStyle(basePath: string, path: string, attribute: string): string | undefined;
}

const OBJECT = 'object.straightTableV2';

/** The paths in the theme for each style: the first one that has a colour wins. */
const themeStyles = {
  '--text': [
    [OBJECT, 'content', 'color'],
    ['object', '', 'color'],
    ['', '', 'color'],
  ],
  '--background': [
    [OBJECT, '', 'backgroundColor'],
    ['object', '', 'backgroundColor'],
    ['', '', 'backgroundColor'],
  ],
  '--accent': [['', 'dataColors', 'primaryColor']],
  '--font': [
    [OBJECT, 'content', 'fontFamily'],
    ['', '', 'fontFamily'],
  ],
} as const;

const isUsable = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && !/^(transparent|inherit|none)$/i.test(value);

/** Gives an element the colours and the font of the sheet's theme; what the theme leaves open keeps its default. */
export function applyTheme(target: HTMLElement, theme: SheetTheme | undefined): void {
  for (const [name, candidates] of Object.entries(themeStyles)) {
    const values = candidates.map(([base, path, attribute]) => theme?.getStyle(base, path, attribute));
    const value = values.find(isUsable);
    if (value === undefined) target.style.removeProperty(name);
    else target.style.setProperty(name, value);
  }
}
