/**
 * The text that a seal is computed over: JSON with the keys of every object in order. FROZEN: every seal ever stored
 * depends on its exact bytes, so it is never edited, whatever other code needs.
 */
export function sealedText(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
