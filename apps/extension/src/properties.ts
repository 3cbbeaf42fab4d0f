import { isThread, partsOf } from '@kaptain/contract/fields';
import type { EditedField } from './model/sheet-fields.ts';
import { cellTypeOf } from './model/values.ts';
import type { ReloadAfterSave } from './service/workspace.ts';
import { texts } from './texts/texts.ts';

/** The settings of the property panel, under `kaptain` of the object's properties. */
export interface Setup {
  serviceUrl: string;
  kapsuleId: string;
  /** The index of the key's dimension. */
  keyDimension: number;
  fields: EditedField[];
  /** Every edit is sent at once, or all wait for a button. */
  saving: 'atOnce' | 'button';
  reload: ReloadAfterSave;
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
  kaptain: {
    serviceUrl: '',
    kapsuleId: '',
    keyDimension: 0,
    fields: [],
    saving: 'atOnce',
    reload: 'none',
  },
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
  for (const entry of value as Record<string, unknown>[]) {
    const name = textOf(entry['name']);
    const type = cellTypeOf(entry['type']);
    const choices = partsOf(textOf(entry['choices']));
    // A thread is not part of a save, so a row can't wait for it.
    const isRequired = entry['isRequired'] === true && !isThread(type);
    if (name !== '' && !fields.has(name)) fields.set(name, { name, type, choices, isRequired });
  }
  return [...fields.values()];
}

/** The missing parts of the set-up, for the person who builds the sheet. */
interface MissingSetup {
  missing: string;
  /** Where it is known, the kapsule can be chosen at the service. */
  serviceUrl?: string;
}

/** The set-up in a layout, or what is missing in it. */
export function setupOf(layout: unknown): Setup | MissingSetup {
  const properties = ((layout as { kaptain?: unknown } | undefined)?.kaptain ?? {}) as Record<
    string,
    unknown
  >;
  const serviceUrl = originOf(textOf(properties['serviceUrl']));
  if (serviceUrl === undefined) return { missing: texts().missingService };
  const kapsuleId = textOf(properties['kapsuleId']);
  if (kapsuleId === '') return { missing: texts().missingKapsule, serviceUrl };
  const fields = fieldsOf(properties['fields']);
  if (fields.length === 0) return { missing: texts().missingFields, serviceUrl };
  const number = Number(properties['keyDimension']);
  const { saving, reload } = properties;
  return {
    serviceUrl,
    kapsuleId,
    keyDimension: Number.isInteger(number) && number > 0 ? number : 0,
    fields,
    saving: saving === 'button' ? saving : 'atOnce',
    reload: reload === 'partial' || reload === 'full' ? reload : 'none',
  };
}
