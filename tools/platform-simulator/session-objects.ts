import type { SimulatedApp } from './apps.ts';

interface Properties {
  qInfo?: { qId?: string; qType?: string };
  qHyperCubeDef?: {
    qDimensions?: {
      qDef?: { qFieldDefs?: string[]; qFieldLabels?: string[] };
      qAttributeExpressions?: { qExpression?: string }[];
    }[];
    qMeasures?: { qDef?: { qDef?: string; qLabel?: string } }[];
  };
  [name: string]: unknown;
}

interface Page {
  qTop?: number;
  qLeft?: number;
  qWidth?: number;
  qHeight?: number;
}

interface SessionObject {
  id: string;
  type: string;
  properties: Properties;
  /** The selected values of the first dimension, by their numbers; undefined when none is selected. */
  selected?: number[] | undefined;
}

/** More cells are refused in one call, as in a real engine. */
const MOST_CELLS = 10_000;
const CUBE_PATH = '/qHyperCubeDef';

/** A call that the simulated engine refuses. */
export class ObjectRefusal extends Error {}

const labelsOf = ({ qHyperCubeDef }: Properties) => ({
  dimensions: (qHyperCubeDef?.qDimensions ?? []).map(
    ({ qDef }) => qDef?.qFieldLabels?.[0] || qDef?.qFieldDefs?.[0] || '',
  ),
  measures: (qHyperCubeDef?.qMeasures ?? []).map(({ qDef }) => qDef?.qLabel || qDef?.qDef || ''),
});

/** The only expression that is simulated: `=[Field]<>'text'`. */
function valueOfExpression(expression: string, label: string, text: string): number | undefined {
  const [, field, other] = /^=\[([^\]]+)\]<>'([^']*)'$/.exec(expression) ?? [];
  return field === label ? Number(text !== other) : undefined;
}

/** The field of `Only([Field])`, the only measure that reads what a reload has loaded. */
const onlyField = (expression: string): string | undefined => /^Only\(\[([^\]]+)\]\)$/.exec(expression)?.[1];

const unknownNumber = { qNum: 'NaN', qElemNumber: 0, qState: 'L' };

/** The value of the first dimension, where the table has such. */
function keyOf(row: number, { tables }: SimulatedApp): string {
  const { prefix = '', first = 0, digits = 0 } = tables[0]?.keys ?? {};
  return `${prefix}${String(first + row).padStart(digits, '0')}`;
}

/** The cells of one row: the first dimension is unique, further ones repeat, measures are numbers. */
function cellsOf(properties: Properties, row: number, app: SimulatedApp) {
  const { dimensions, measures } = labelsOf(properties);
  const { keys } = app.tables[0] ?? {};
  return [
    ...dimensions.map((label, index) => {
      const value = index === 0 ? row : row % (7 * index);
      const qText = index === 0 && keys ? keyOf(row, app) : `${label} ${value}`;
      const expressions = properties.qHyperCubeDef?.qDimensions?.[index]?.qAttributeExpressions ?? [];
      const qValues = expressions.map(({ qExpression = '' }) => ({
        qNum: valueOfExpression(qExpression, label, qText) ?? 'NaN',
      }));
      const attributes = qValues.length > 0 ? { qAttrExps: { qValues } } : {};
      return { qText, qNum: 'NaN', qElemNumber: value, qState: 'O', ...attributes };
    }),
    ...measures.map((_, index) => {
      const field = onlyField(properties.qHyperCubeDef?.qMeasures?.[index]?.qDef?.qDef ?? '');
      if (field !== undefined)
        return { ...unknownNumber, qText: app.loaded?.get(keyOf(row, app))?.[field] ?? '-' };
      const value = (row * 37 + index * 11) % 1000;
      return { qText: String(value), qNum: value, qElemNumber: 0, qState: 'L' };
    }),
  ];
}

/** The objects of one engine session: properties, layout, and the data of a hypercube made from the first table. */
export class SessionObjects {
  readonly #objects = new Map<number, SessionObject>();
  #nextHandle: number;

  constructor(firstHandle: number) {
    this.#nextHandle = firstHandle;
  }

  has(handle: number): boolean {
    return this.#objects.has(handle);
  }

  create(properties: Properties): object {
    const handle = this.#nextHandle++;
    const id = properties.qInfo?.qId || `object-${handle}`;
    const type = properties.qInfo?.qType ?? '';
    this.#objects.set(handle, { id, type, properties });
    return {
      qReturn: { qType: 'GenericObject', qHandle: handle, qGenericType: type, qGenericId: id },
      qInfo: { qId: id, qType: type },
    };
  }

  destroy(id: string): object {
    const found = [...this.#objects].find(([, object]) => object.id === id);
    return { qSuccess: found !== undefined && this.#objects.delete(found[0]) };
  }

  answer(handle: number, method: string, params: unknown[], app: SimulatedApp): object | undefined {
    const object = this.#objects.get(handle);
    if (!object) return undefined;
    switch (method) {
      case 'GetProperties':
        return { qProp: object.properties };
      case 'SetProperties':
        object.properties = params[0] as Properties;
        return {};
      case 'GetLayout':
        return { qLayout: this.#layoutOf(object, app) };
      case 'SelectHyperCubeValues':
        return { qSuccess: select(object, params, app) };
      case 'GetHyperCubeData':
        return { qDataPages: dataOf(object, String(params[0]), (params[1] ?? []) as Page[], app) };
      default:
        return undefined;
    }
  }

  #layoutOf(object: SessionObject, app: SimulatedApp): object {
    const { id, type, properties } = object;
    const { qHyperCubeDef, ...others } = properties;
    const layout = { ...others, qInfo: { qId: id, qType: type }, qSelectionInfo: {} };
    if (!qHyperCubeDef) return layout;
    const { dimensions, measures } = labelsOf(properties);
    const info = (qFallbackTitle: string) => ({
      qFallbackTitle,
      qApprMaxGlyphCount: 12,
      qCardinal: app.tables[0]?.rows ?? 0,
    });
    return {
      ...layout,
      qHyperCube: {
        qSize: {
          qcx: dimensions.length + measures.length,
          qcy: dimensions.length > 0 ? rowsOf(object, app) : 0,
        },
        qDimensionInfo: dimensions.map(info),
        qMeasureInfo: measures.map(info),
        qMode: 'S',
        qDataPages: [],
      },
    };
  }
}

/** Selects values of the first dimension, which are the numbers of its rows; an empty list selects all. */
function select(object: SessionObject, [path, dimension, values]: unknown[], app: SimulatedApp): boolean {
  if (path !== CUBE_PATH || dimension !== 0 || !Array.isArray(values)) return false;
  const rows = app.tables[0]?.rows ?? 0;
  const chosen = (values as number[]).filter(
    (value) => Number.isInteger(value) && value >= 0 && value < rows,
  );
  object.selected = chosen.length === 0 ? undefined : chosen.toSorted((a, b) => a - b);
  return true;
}

const rowsOf = ({ selected }: SessionObject, { tables }: SimulatedApp): number =>
  selected?.length ?? tables[0]?.rows ?? 0;

/** Pages end with the data; `qTop` may be absent. */
function dataOf(object: SessionObject, path: string, pages: Page[], app: SimulatedApp): object[] {
  const { properties, selected } = object;
  if (path !== CUBE_PATH || !properties.qHyperCubeDef) throw new ObjectRefusal('Invalid path');
  const cells = pages.reduce((sum, { qWidth = 0, qHeight = 0 }) => sum + qWidth * qHeight, 0);
  if (cells > MOST_CELLS) throw new ObjectRefusal('Calc pages too large');
  return pages.map(({ qTop = 0, qLeft = 0, qWidth = 0, qHeight = 0 }) => {
    const count = Math.max(0, Math.min(qHeight, rowsOf(object, app) - qTop));
    const matrix = Array.from({ length: count }, (_, n) =>
      cellsOf(properties, selected?.[qTop + n] ?? qTop + n, app).slice(qLeft, qLeft + qWidth),
    );
    return {
      qMatrix: matrix,
      qTails: [],
      qArea: { qLeft, qTop, qWidth: matrix[0]?.length ?? 0, qHeight: count },
    };
  });
}
