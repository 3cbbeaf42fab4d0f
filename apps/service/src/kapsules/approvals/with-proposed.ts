import type { Field } from '@kaptain/contract';
import type { KapsuleRecord, Nouns, ProposalRecord, RecentQuery } from '@kaptain/store';
import { TimeSlice } from '@kaptain/store/time-slice';
import { columnsOf, freeName } from '../export/columns.ts';
import type { Lines } from '../export/lines.ts';
import { PROPOSALS_READ } from '../tuning.ts';

/** A granule as a line of the store has it; in tables without its id, version and `reloaded`. */
interface Line {
  key: string;
  user: string;
  data: Record<string, unknown>;
}

type Where = NonNullable<RecentQuery<ProposalRecord>['where']>;

/** The names of the columns with the authors and the fields. */
interface ProposedColumns {
  by: string;
  fields: string;
}

/** Two columns more: who proposes, and which of the values are proposed. */
export function proposedColumns(kapsule: Pick<KapsuleRecord, 'keyField' | 'fields'>): ProposedColumns {
  const columns = columnsOf(kapsule);
  return { by: freeName('ProposedBy', columns), fields: freeName('ProposedFields', columns) };
}

const asField = (name: string): Field => ({ _id: name, name, type: 'text' });

export const withColumns = (kapsule: KapsuleRecord, { by, fields }: ProposedColumns): KapsuleRecord => ({
  ...kapsule,
  fields: [...kapsule.fields, asField(by), asField(fields)],
});

/** The ids of the proposals of each key, oldest first; the proposals themselves may have gigabytes. */
async function idsByKey({ proposals }: Pick<Nouns, 'proposals'>, where: Where) {
  const ids = new Map<string, string[]>();
  let before: string | undefined;
  for (;;) {
    const query = { where, limit: PROPOSALS_READ, ...(before !== undefined && { before }) };
    const some = await proposals.recent(query);
    for (const { id, key } of some) ids.set(key, [id, ...(ids.get(key) ?? [])]);
    if (some.length < PROPOSALS_READ) return ids;
    before = some.at(-1)?.id;
  }
}

const byChange = (one: ProposalRecord, other: ProposalRecord): number =>
  one.updatedAt < other.updatedAt ? -1 : 1;

/**
 * The lines with proposed values in place of stored ones, the latest of each field; then the records that are only proposed. Authors and
 * fields are told in columns, or in a member of the line.
 */
export async function* withProposed(
  nouns: Pick<Nouns, 'proposals'>,
  lines: Lines,
  where: Where,
  columns?: ProposedColumns,
): AsyncGenerator<Uint8Array> {
  const ids = await idsByKey(nouns, where);
  if (ids.size === 0) return yield* lines;

  async function proposalsOf(key: string): Promise<ProposalRecord[]> {
    const found = await Promise.all((ids.get(key) ?? []).map((id) => nouns.proposals.get(id)));
    return found.flatMap((one) => (one?.state === 'open' ? [one] : [])).toSorted(byChange);
  }
  function shown(line: Line, proposals: readonly ProposalRecord[]): string {
    const data = Object.fromEntries(
      [line.data, ...proposals.map(({ values }) => values)].flatMap((part) => Object.entries(part)),
    );
    const by = [...new Set(proposals.map(({ author }) => author))];
    const fields = [...new Set(proposals.flatMap(({ values }) => Object.keys(values)))];
    const told = columns
      ? { ...line, data: { ...data, [columns.by]: by.join('; '), [columns.fields]: fields.join('; ') } }
      : { ...line, data, proposed: { by, fields } };
    return `${JSON.stringify(told)}\n`;
  }

  const slice = new TimeSlice();
  for await (const chunk of lines) {
    const texts: string[] = [];
    for (const text of Buffer.from(chunk).toString().split('\n')) {
      if (text === '') continue;
      const line = JSON.parse(text) as Line;
      const proposals = ids.has(line.key) ? await proposalsOf(line.key) : [];
      ids.delete(line.key);
      texts.push(proposals.length === 0 ? `${text}\n` : shown(line, proposals));
      await slice.pause();
    }
    yield Buffer.from(texts.join(''));
  }
  for (const key of ids.keys()) {
    const proposals = (await proposalsOf(key)).filter(({ baseVersion }) => baseVersion === 0);
    const [first] = proposals;
    if (!first) continue;
    const { id: _id, author: user, createdAt, updatedAt } = first;
    const line = { _id, user, key, data: {}, reloaded: false, createdAt, updatedAt, version: 0 };
    yield Buffer.from(shown(line, proposals));
  }
}
