import type { AuditEntry, api, Given } from '@kaptain/contract';
import { type AuditRecord, PageRoom, type Store } from '@kaptain/store';
import { auditReading } from '../../base/audit/audit-reading.ts';
import type { Call } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import type { Log } from '../../base/logging/logs.ts';
import type { Handlers } from '../../http/server/handlers.ts';
import { ENTRY_BATCH, SEARCHED_ENTRIES } from '../tuning.ts';
import { auditCsv } from './audit-csv.ts';
import { auditEntries } from './audit-entries.ts';
import { searchTest } from './audit-search.ts';

const shown = (entry: AuditRecord): AuditEntry => ({
  _id: entry.id,
  at: entry.at,
  actorId: entry.actorId,
  actor: entry.actor,
  ip: entry.ip,
  action: entry.action,
  target: entry.target,
  targetName: entry.targetName,
  result: entry.result,
  requestId: entry.requestId,
  before: entry.before,
  after: entry.after,
});

/** Only `before` and `after` may be long. */
const bytesOf = ({ before, after }: AuditRecord) => JSON.stringify([before, after]).length;

type Filter = Given<typeof api.audit.export>['query'];

const whereOf = ({ actorId, action, target }: Filter) => ({
  ...(actorId && { actorId }),
  ...(action && { action }),
  ...(target && { target }),
});

interface Deps {
  store: Store;
  log: Log;
  clock: () => number;
}

export function auditRoutes(deps: Deps): Handlers<typeof api.audit> {
  const { store, clock } = deps;
  const entriesOf = (query: Filter, batch: number, before?: string) =>
    auditEntries(store.audit, { ...query, where: whereOf(query), before }, batch);

  async function* matching(query: Filter, call: Call<'admin'>) {
    const after = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
    await auditReading(deps, call, { action: 'audit.export', after });
    const isWanted = searchTest(query.q ?? '');
    // The entry of this export was not there when the user asked for it.
    let isOwnLeftOut = false;
    for await (const entry of entriesOf(query, ENTRY_BATCH)) {
      const isOwn: boolean =
        !isOwnLeftOut && entry.action === 'audit.export' && entry.requestId === call.requestId;
      isOwnLeftOut ||= isOwn;
      if (!isOwn && isWanted(entry)) yield entry;
    }
  }

  return {
    async list({ query: { before, limit, ...query } }) {
      const isWanted = searchTest(query.q ?? '');
      const isSearch = (query.q ?? '').trim() !== '';
      const found: AuditRecord[] = [];
      let seen = 0;
      let last: string | null = null;
      for await (const entry of entriesOf(query, isSearch ? ENTRY_BATCH : limit + 1, before)) {
        if (isWanted(entry)) found.push(entry);
        seen += 1;
        // One entry more than the limit shows that there is a next page.
        if (found.length > limit) break;
        if (isSearch && seen === SEARCHED_ENTRIES) {
          last = entry.id;
          break;
        }
      }
      const room = new PageRoom();
      const left = found.findIndex((entry, index) => index === limit || !room.takes(bytesOf(entry)));
      const page = left < 0 ? found : found.slice(0, left);
      return { data: page.map(shown), next: left < 0 ? last : (page.at(-1)?.id ?? null) };
    },
    export: ({ query }, call) => ({
      chunks: auditCsv(matching(query, call)),
      fileName: `audit-${new Date(clock()).toISOString().slice(0, 10)}.csv`,
      check: async ({ role }) => {
        if (role !== 'ADMIN') throw new AppError('FORBIDDEN');
      },
    }),
  };
}
