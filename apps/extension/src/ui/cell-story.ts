import { isThread, showTime } from '@kaptain/contract/fields';
import { earlierValues } from '../model/earlier-values.ts';
import { personName } from '../model/person-name.ts';
import type { SheetField } from '../model/sheet-fields.ts';
import { definitionOf, showCell } from '../model/values.ts';
import type { Workspace } from '../service/workspace.ts';
import { texts } from '../texts/texts.ts';
import { element } from './element.ts';

const MOST_EARLIER = 5;

const written = (user: string, at: string) =>
  [personName(user), showTime(at, 'ifAny')].filter((part) => part !== '').join(', ');

/** An address that can be opened. */
function linkIn({ type }: SheetField, value: unknown): Node[] {
  const { enteredAs, canonical } = definitionOf(type);
  const address = enteredAs === 'link' ? canonical(value) : undefined;
  if (typeof address !== 'string' || address === '') return [];
  return [element('a', { href: address, target: '_blank', rel: 'noopener noreferrer' }, address)];
}

/** The state of a cell, who wrote the row and when, and what the cell had before. */
export async function cellStory(workspace: Workspace, key: string, field: SheetField): Promise<Node[]> {
  // A thread shows its comments and their times in its panel.
  if (isThread(field.type)) return [];
  const { queue, known } = workspace;
  const granule = known.get(key);
  const state = texts().states[queue.stateOf(key, field.name)];
  const lines = [field.help ?? '', state, queue.messageOf(key, field.name)].filter((line) => line !== '');
  if (granule && granule.user !== '') lines.push(written(granule.user, granule.updatedAt));
  const earlier = earlierValues(await workspace.history(key), field.name, MOST_EARLIER);
  const link = linkIn(field, queue.valueOf(key, field.name));
  const nodes: Node[] = [...link, ...lines.map((line) => element('p', {}, line))];
  if (earlier.length === 0) return nodes;
  const list = earlier.map(({ value, user, at }) =>
    element(
      'li',
      {},
      element('span', { class: 'value' }, showCell(field, value) || texts().empty),
      element('span', { class: 'by' }, written(user, at)),
    ),
  );
  return [...nodes, element('p', { class: 'by' }, texts().earlierValues), element('ul', {}, ...list)];
}
