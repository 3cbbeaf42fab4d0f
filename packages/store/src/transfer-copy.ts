import { UnavailableError } from './errors.ts';
import { nounNames } from './nouns/all.ts';
import type { KapsuleNumbers, Transfer } from './transfer.ts';
import { type CopyReport, canonical, compare, digest, documentsOf, nounOf } from './transfer-compare.ts';

/**
 * Copies all data from one database to another, of any kinds. The instance document is copied last: a target with
 * documents but without it is an unfinished copy, which the next attempt continues.
 */

export async function copyStore(from: Transfer, to: Transfer): Promise<CopyReport> {
  const [sign] = await from.store.instance.all();
  if (!sign) throw new UnavailableError('There is nothing to copy: the service was never initialized.');
  const [there] = await to.store.instance.all();
  if (there && there.id !== sign.id) throw notEmpty();
  const before = await fingerprint(from);
  if (!there) {
    await refuseForeign(from, to);
    for (const noun of nounNames) if (noun !== 'instance') await copyNoun(from, to, noun);
    await copyGranules(from, to);
  }
  const { differences, ...report } = await compare(from, to, there ? [] : ['instance']);
  if (differences.length > 0) {
    const reason = there
      ? 'The target has been used since it was copied'
      : 'The copy is not the same as the source';
    throw new UnavailableError(`${reason}: ${differences.join(', ')} differ. Nothing was switched over.`);
  }
  if ((await fingerprint(from)) !== before) {
    throw new UnavailableError(
      'The source was changed while it was copied; stop the service and start again.',
    );
  }
  await to.putDocuments('instance', [sign]);
  return report;
}

const notEmpty = () =>
  new UnavailableError(
    'The target is not empty and belongs to another installation; choose an empty database.',
  );

/** Differs after every change: each one adds an audit entry or moves the counters of a kapsule. */
async function fingerprint({ store, ...transfer }: Transfer): Promise<string> {
  const [newest] = await store.audit.recent({ limit: 1 });
  return canonical([newest?.id, await transfer.kapsules()]);
}

async function refuseForeign(from: Transfer, to: Transfer): Promise<void> {
  const isEmpty =
    (await to.kapsules()).length === 0 && (await to.store.audit.recent({ limit: 1 })).length === 0;
  const users = await to.store.users.all();
  if (isEmpty && users.length === 0) return;
  for (const { id } of users) if (await from.store.users.get(id)) return;
  throw notEmpty();
}

async function copyNoun(from: Transfer, to: Transfer, noun: (typeof nounNames)[number]): Promise<void> {
  const there = new Map<string, string>();
  for await (const documents of documentsOf(to.store, noun)) {
    for (const document of documents) there.set(document.id, digest(document));
  }
  // Removes missing and different documents first, so that no unique value conflicts.
  const gone = new Map(there);
  for await (const documents of documentsOf(from.store, noun)) {
    for (const document of documents)
      if (gone.get(document.id) === digest(document)) gone.delete(document.id);
  }
  for (const id of gone.keys()) await nounOf(to.store, noun).remove(id);
  for await (const documents of documentsOf(from.store, noun)) {
    const missing = documents.filter(({ id }) => gone.has(id) || !there.has(id));
    if (missing.length > 0) await to.putDocuments(noun, missing);
  }
}

/** A kapsule whose counters exist is complete; any other one is copied again. */
async function copyGranules(from: Transfer, to: Transfer): Promise<void> {
  const source = await from.kapsules();
  const isWanted = new Map(source.map((numbers) => [numbers.kapsuleId, canonical(numbers)]));
  const done = new Set<string>();
  for (const numbers of await to.kapsules()) {
    if (isWanted.get(numbers.kapsuleId) === canonical(numbers)) done.add(numbers.kapsuleId);
    else await to.dropGranules(numbers.kapsuleId);
  }
  const missing = source.filter(({ kapsuleId }: KapsuleNumbers) => !done.has(kapsuleId));
  for (const numbers of missing) await to.putGranules(numbers, from.granules(numbers.kapsuleId));
}
