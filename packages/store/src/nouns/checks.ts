/** Says whether a stored value is what its field may hold. */
export interface Check<V> {
  (value: unknown): value is V;
  /** Never set. Ties the check to exactly this type, so that an optional field needs `optional`. */
  readonly only?: (value: V) => void;
}

export const text: Check<string> = (value) => typeof value === 'string';
export const whole: Check<number> = (value): value is number => Number.isSafeInteger(value);
export const number: Check<number> = (value) => typeof value === 'number';
export const flag: Check<boolean> = (value) => typeof value === 'boolean';

export const oneOf = <const V extends string | true>(...values: readonly V[]): Check<V> => {
  const allowed: ReadonlySet<unknown> = new Set(values);
  return (value): value is V => allowed.has(value);
};

export const nullable =
  <V>(check: Check<V>): Check<V | null> =>
  (value): value is V | null =>
    value === null || check(value);

export const optional =
  <V>(check: Check<V>): Check<V | undefined> =>
  (value): value is V | undefined =>
    value === undefined || check(value);

export const list =
  <V>(check: Check<V>): Check<V[]> =>
  (value): value is V[] =>
    Array.isArray(value) && value.every(check);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Any object; what its keys hold is not checked. */
export const object: Check<Record<string, unknown>> = (value) => isObject(value);

export const record =
  <V>(check: Check<V>): Check<Record<string, V>> =>
  (value): value is Record<string, V> =>
    isObject(value) && Object.values(value).every((member) => check(member));

/** A check for each field of an object; further fields may come from a later version. */
export type Checks<T> = { readonly [K in keyof T]-?: Check<T[K]> };

/** The first field whose value is not what it may hold. */
type FirstFault = (value: Record<string, unknown>) => string | undefined;

export function firstFault<T>(checks: Checks<T>): FirstFault {
  const fields = Object.keys(checks);
  const each = Object.values(checks) as Check<unknown>[];
  return (value) => {
    // Every document that is read comes through here: a loop over entries takes twice as long.
    for (let n = 0; n < fields.length; n += 1) {
      const field = fields[n] as string;
      if (!each[n]?.(value[field])) return field;
    }
    return undefined;
  };
}

export const shape = <T extends object>(checks: Checks<T>): Check<T> => {
  const faultOf = firstFault(checks);
  return (value): value is T => isObject(value) && faultOf(value) === undefined;
};

/** Two values of a fixed order. */
export const pair =
  <A, B>(first: Check<A>, second: Check<B>): Check<[A, B]> =>
  (value): value is [A, B] =>
    Array.isArray(value) && value.length === 2 && first(value[0]) && second(value[1]);
