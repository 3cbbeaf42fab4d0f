import { type api, FieldsCheck, type Given, MisfitPage } from '@kaptain/contract';
import { exportTypes } from '@kaptain/contract/granules';
import type { KapsuleRecord } from '@kaptain/store';
import { auditReading } from '../../base/audit/audit-reading.ts';
import type { Call } from '../../base/call/call.ts';
import { safeFileName } from '../../http/downloads/file-names.ts';
import type { Handlers } from '../../http/server/handlers.ts';
import { table } from '../export/table.ts';
import type { GranulesDeps } from '../granules/granules-deps.ts';
import { granulesOf, longWorkLimitOf } from '../granules/granules-of.ts';
import { ScanQueue } from '../granules/scan-queue.ts';
import { changeable, readable, targetOf } from '../kapsules/kapsule-access.ts';
import { requireSoundRules } from '../kapsules/kapsule-structure.ts';
import { withStoredSources } from '../values/choice-sources.ts';
import { requireChoiceSources } from '../values/require-choice-sources.ts';

type Query = Given<typeof api.granules.misfits>['query'];
type LoggedIn = Call<'loggedIn'>;

const tooMany = 'Too many imports and downloads of this server at the same time. Please try again later.';

async function jsonOf(chunks: AsyncIterable<Uint8Array>): Promise<unknown> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return JSON.parse(Buffer.concat(parts).toString());
}

type Calls = Pick<Handlers<typeof api.granules>, 'checkFields' | 'misfits' | 'exportMisfits'>;

/** The checks of stored values; a thread makes them. */
export function storedMisfits(deps: GranulesDeps): Calls {
  const { store, dataSources } = deps;
  const scans = new ScanQueue();

  async function* check(
    kapsule: KapsuleRecord,
    format: 'fields-check' | 'misfits' | 'misfits-csv',
    { q, field, rule }: Query,
    call: LoggedIn,
  ): AsyncGenerator<Uint8Array> {
    const { id, name, keyField, fields } = kapsule;
    const known = await deps.readKnownValues(kapsule, call.caller);
    const lines = granulesOf(deps, kapsule).stream(id, {
      ...(q !== undefined && q !== '' && { q }),
      // Only a page tells ids and versions.
      isTable: format !== 'misfits',
    });
    const only = { field, rule };
    yield* table(lines, { format, kapsule: { name, keyField, fields }, known, only }, call.gone());
  }

  /** One scan of a user at a time, as of pages with a filter. */
  function scan(
    kapsule: KapsuleRecord,
    format: 'fields-check' | 'misfits',
    query: Query,
    call: LoggedIn,
  ): Promise<unknown> {
    const { userId } = call.caller;
    return scans.run(userId, call.gone(), async () => {
      const release = (await longWorkLimitOf(dataSources, kapsule))?.acquire(userId, tooMany);
      try {
        return await jsonOf(check(kapsule, format, query, call));
      } finally {
        release?.();
      }
    });
  }

  return {
    async checkFields({ params, body }, call) {
      const { kapsule } = await changeable(store, params.id, call.caller);
      const fields = withStoredSources(body.fields, kapsule.fields);
      requireSoundRules({ fields });
      // What does not fit tells what is among the choices.
      await requireChoiceSources(store, fields, kapsule.fields, call.caller);
      const changed = { ...kapsule, fields: fields.map((field) => ({ _id: '', ...field })) };
      const found = await scan(changed, 'fields-check', {}, call);
      // The right may have been revoked while rows were read.
      await changeable(store, params.id, call.caller);
      return FieldsCheck.parse(found);
    },
    async misfits({ params, query }, call) {
      const { kapsule } = await readable(store, params.id, call.caller);
      const found = await scan(kapsule, 'misfits', query, call);
      await readable(store, params.id, call.caller);
      return MisfitPage.parse(found);
    },
    async exportMisfits({ params, query }, call) {
      const { kapsule } = await readable(store, params.id, call.caller);
      async function* chunks() {
        const after = { format: 'csv', doesNotFit: true, ...query };
        await auditReading(deps, call, { action: 'granule.export', target: targetOf(kapsule), after });
        yield* check(kapsule, 'misfits-csv', query, call);
      }
      return {
        chunks: chunks(),
        limit: await longWorkLimitOf(dataSources, kapsule),
        check: (present) => readable(store, params.id, present),
        contentType: exportTypes.csv,
        fileName: safeFileName(`${kapsule.name} values that do not fit`, '.csv'),
      };
    },
  };
}
