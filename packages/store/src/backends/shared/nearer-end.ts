interface Range {
  offset: number;
  limit: number;
  descending: boolean;
}

/** The same rows of `total` from the end that skips fewer; `isReversed`: they come in the opposite order. */
export function fromNearerEnd<R extends Range>(range: R, total: number): { range: R; isReversed: boolean } {
  const { offset, descending } = range;
  const limit = Math.max(0, Math.min(range.limit, total - offset));
  const isReversed = offset > total / 2;
  const skipped = isReversed ? total - offset - limit : offset;
  return { range: { ...range, limit, offset: skipped, descending: descending !== isReversed }, isReversed };
}
