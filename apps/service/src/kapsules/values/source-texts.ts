import { limits } from '@kaptain/contract';
import { isEmpty, isOnePart, textOf } from '@kaptain/contract/fields';
import { ownValue } from '@kaptain/contract/own-value';
import { TimeSlice } from '@kaptain/store/time-slice';
import { AppError } from '../../base/errors/app-error.ts';
import type { Databases } from '../data-sources/data-sources.ts';
import { granulesOf } from '../granules/granules-of.ts';
import { CACHED_SOURCES, CHOICE_SOURCE_BYTES, SCANNED_GRANULES } from '../tuning.ts';

/** The field of another kapsule whose values are choices. */
interface Source {
  kapsuleId: string;
  field: string;
  /** A value of the other field is several of them. */
  isSeveral: boolean;
}
type Texts = ReadonlySet<string>;

/** Says nothing of its name and size, because callers may not be allowed to read the source. */
const tooLarge = () =>
  new AppError('LIMIT_REACHED', 'The choices of another place are too many to be read at a save.');

const isChoice = (text: string, { isSeveral }: Source): boolean =>
  text !== '' && text.length <= limits.choiceCharacters && (!isSeveral || isOnePart(text));

/** A longer value is no choice. */
async function textsIn(lines: AsyncIterable<Uint8Array>, source: Source): Promise<Texts> {
  const texts = new Set<string>();
  const slice = new TimeSlice();
  let bytes = 0;
  for await (const chunk of lines) {
    bytes += chunk.length;
    if (bytes > CHOICE_SOURCE_BYTES) throw tooLarge();
    for (const line of new TextDecoder().decode(chunk).split('\n')) {
      if (line === '') continue;
      const value = ownValue((JSON.parse(line) as { data: Record<string, unknown> }).data, source.field);
      const text = isEmpty(value) ? '' : textOf(value);
      if (isChoice(text, source)) texts.add(text);
      await slice.pause();
    }
  }
  return texts;
}

/** Reads the texts of a field of another kapsule; they are read again when that kapsule has changed. */
export function sourceTexts(databases: Databases) {
  const cache = new Map<string, { change: number; texts: Promise<Texts> }>();

  async function read(source: Source): Promise<Texts> {
    const kapsule = await databases.store.kapsules.get(source.kapsuleId);
    if (!kapsule) return new Set();
    const granules = granulesOf(databases, kapsule);
    const { total } = await granules.counts(kapsule.id);
    if (total > SCANNED_GRANULES) throw tooLarge();
    return textsIn(granules.stream(kapsule.id, { isTable: true }), source);
  }

  return async (source: Source): Promise<Texts> => {
    const kapsule = await databases.store.kapsules.get(source.kapsuleId);
    if (!kapsule) return new Set();
    const change = await granulesOf(databases, kapsule).watermark(kapsule.id);
    const name = JSON.stringify([source.kapsuleId, source.field, source.isSeveral]);
    const before = cache.get(name);
    if (before?.change === change) return before.texts;
    const texts = read(source);
    cache.delete(name);
    cache.set(name, { change, texts });
    const [oldest] = cache.keys();
    if (cache.size > CACHED_SOURCES && oldest !== undefined) cache.delete(oldest);
    texts.catch(() => cache.get(name)?.texts === texts && cache.delete(name));
    return texts;
  };
}
