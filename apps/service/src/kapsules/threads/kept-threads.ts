type Data = Record<string, unknown>;

const isFilled = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** The data of a row with the threads that are stored. Keeps the order of the fields: data in another order would count as changed. */
export function withThreads(data: Data, stored: Data, threads: ReadonlySet<string>, mayBring: boolean): Data {
  const kept = new Map(
    Object.entries(stored).filter(([name, value]) => threads.has(name) && isFilled(value)),
  );
  const given = Object.entries(data).filter(([name]) => mayBring || kept.has(name) || !threads.has(name));
  return Object.fromEntries([...given, ...kept]);
}
