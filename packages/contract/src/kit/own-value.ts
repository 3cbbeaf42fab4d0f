/** The value of a field: only an own property, because a field may be called toString or __proto__. */
export const ownValue = (data: Readonly<Record<string, unknown>>, field: string): unknown =>
  Object.hasOwn(data, field) ? data[field] : undefined;
