/** The rows of a page. */
export const SIZE = 100;

export interface PageAnswer {
  data: unknown[];
  total: number;
  totalIsExact?: boolean;
  isPartial?: true;
}

interface PageQuery {
  sort?: string;
  page?: number;
  q?: string;
  where?: readonly object[];
}

export const pagesOf = (rows: number): number => Math.ceil(rows / SIZE);

/** The call of a page of a kapsule's rows. */
export function pagePath(id: string, { where, ...query }: PageQuery = {}): string {
  const all = { size: SIZE, page: 1, ...query, ...(where && { where: JSON.stringify(where) }) };
  const text = new URLSearchParams(Object.entries(all).map(([name, value]) => [name, String(value)]));
  return `/api/kapsule/${id}/sql/read/internal?${text.toString()}`;
}
