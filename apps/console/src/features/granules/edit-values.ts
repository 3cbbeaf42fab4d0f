/** A value as it is edited: texts as they are, all others as JSON. */
export const editedText = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);

const isJson = (text: string) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** Types whose values are texts; a value of them that is no text is edited as JSON. */
const isText = (type: string, before: unknown) =>
  ['text', 'date', 'timestamp'].includes(type) && (typeof before !== 'object' || before === null);

/** Spec 5: what is wrong with an edited text; undefined when nothing is. */
export function editProblem(label: string, type: string, text: string, before: unknown): string | undefined {
  if (text === '' || text === editedText(before) || isText(type, before)) return undefined;
  if (type === 'number') return Number.isFinite(Number(text)) ? undefined : `${label} is not a valid number!`;
  return isJson(text) ? undefined : `${label} is not valid JSON!`;
}

/** The value of an edited text; an unchanged one stays exactly as it was, whatever its type. */
export function editedValue(type: string, text: string, before: unknown): unknown {
  if (text === editedText(before)) return before;
  if (text === '') return null;
  if (isText(type, before)) return text;
  return type === 'number' ? Number(text) : (JSON.parse(text) as unknown);
}
