import { type CellType, cellTypes } from './model/values.ts';

/** A field of the kapsule that the table shows and edits. */
export interface EditedField {
  name: string;
  type: CellType;
}

/** What the property panel sets, under `kaptain` of the object's properties. */
export interface Setup {
  serviceUrl: string;
  kapsuleId: string;
  /** The place of the key among the dimensions. */
  keyDimension: number;
  fields: EditedField[];
}

/** The properties of a new object. */
export const initialProperties = {
  qHyperCubeDef: {
    qDimensions: [],
    qMeasures: [],
    qInitialDataFetch: [{ qTop: 0, qLeft: 0, qWidth: 0, qHeight: 0 }],
    qSuppressZero: false,
    qSuppressMissing: false,
  },
  showTitles: true,
  title: '',
  kaptain: { serviceUrl: '', kapsuleId: '', keyDimension: 0, fields: [] },
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** Whether the text is the address of a service: http or https, without user name, query or fragment. */
function originOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, origin, username, search, hash } = new URL(text);
  const isPlain = username === '' && search === '' && hash === '';
  return (protocol === 'https:' || protocol === 'http:') && isPlain ? origin : undefined;
}

function fieldsOf(value: unknown): EditedField[] {
  if (!Array.isArray(value)) return [];
  const fields = new Map<string, EditedField>();
  for (const entry of value as { name?: unknown; type?: unknown }[]) {
    const name = textOf(entry.name);
    const type = cellTypes.find((known) => known === entry.type) ?? 'text';
    if (name !== '' && !fields.has(name)) fields.set(name, { name, type });
  }
  return [...fields.values()];
}

/** The set-up in a layout, or what is missing in it, for the person who builds the sheet. */
export function setupOf(layout: unknown): Setup | { missing: string } {
  const given = ((layout as { kaptain?: unknown } | undefined)?.kaptain ?? {}) as Record<string, unknown>;
  const serviceUrl = originOf(textOf(given['serviceUrl']));
  if (serviceUrl === undefined)
    return { missing: 'Enter the address of the service, e.g. https://kaptain.example.com:8000.' };
  const kapsuleId = textOf(given['kapsuleId']);
  if (kapsuleId === '') return { missing: 'Enter the id of the kapsule.' };
  const fields = fieldsOf(given['fields']);
  if (fields.length === 0) return { missing: 'Add at least one field of the kapsule.' };
  const place = Number(given['keyDimension']);
  return { serviceUrl, kapsuleId, keyDimension: Number.isInteger(place) && place > 0 ? place : 0, fields };
}
