/** The part of stardust that the extension uses; the platform provides the module at run time. */
declare module '@nebula.js/stardust' {
  export interface NxCell {
    qText?: string;
    qNum?: number | 'NaN';
    qIsNull?: boolean;
    /** The row of all values beyond a limit. */
    qIsOtherCell?: boolean;
    /** Negative where the cell is no value of its dimension: a total, a null, or all others. */
    qElemNumber?: number;
    /** The values of the dimension's attribute expressions. */
    qAttrExps?: { qValues?: { qText?: string; qNum?: number | 'NaN' }[] };
  }
  interface NxDataPage {
    qMatrix: NxCell[][];
  }
  export interface NxInfo {
    qFallbackTitle: string;
    qError?: { qErrorCode: number };
  }
  export interface NxHyperCube {
    qSize: { qcx: number; qcy: number };
    qDimensionInfo: NxInfo[];
    qMeasureInfo: NxInfo[];
    /** The indexes of the columns among dimensions and measures; empty when they are in the order of their definition. */
    qColumnOrder?: number[];
    qError?: { qErrorCode: number };
  }
  export interface ObjectModel {
    id: string;
    getProperties(): Promise<{ kaptain?: Record<string, unknown> }>;
    setProperties(properties: object): Promise<unknown>;
    getHyperCubeData(
      path: string,
      pages: { qTop: number; qLeft: number; qWidth: number; qHeight: number }[],
    ): Promise<NxDataPage[]>;
  }
  export function useElement(): HTMLElement;
  export function useLayout(): unknown;
  export function useModel(): ObjectModel | undefined;
  export function useEffect(effect: () => void | (() => void), dependencies?: unknown[]): void;
  export function useState<T>(initial: T): [T, (next: T) => void];
  export function useAppLayout(): { qLocaleInfo?: { qDecimalSep?: string; qDateFmt?: string } } | undefined;
  export function onTakeSnapshot(taken: (layout: object) => object): void;
  export function useTheme(): {
    getStyle(basePath: string, path: string, attribute: string): string | undefined;
  };
  export function useTranslator(): { language(): string };
  export function useKeyboard(): {
    enabled: boolean;
    active: boolean;
    focus?: () => void;
    blur?: (isReset: boolean) => void;
  };
  export function useOptions(): { direction?: 'ltr' | 'rtl' };
  export function useConstraints(): { active?: boolean; passive?: boolean; edit?: boolean };
}
