/** Spec 7: the names in the message of a refused deletion, which may be a JSON list; undefined for any other text. */
export function refusedNames(message: string): string[] | undefined {
  try {
    const value: unknown = JSON.parse(message);
    return Array.isArray(value) ? value.map(String) : undefined;
  } catch {
    return undefined;
  }
}
