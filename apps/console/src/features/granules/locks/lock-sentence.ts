import { type RuledField, shownName } from '@kaptain/contract/field-rules';
import { type FieldComparison, isOnField, type Lock, type LockCondition } from '@kaptain/contract/locks';
import { shownText } from '../../../shared/fields/shown-text.ts';
import type { Term } from '../../../variants/variant.ts';
import { comparisonNames, dayOrTime, timeField } from './condition-draft.ts';

interface Names {
  fields: readonly RuledField[];
  /** Names by id. */
  groups: ReadonlyMap<string, string>;
  granule: Pick<Term, 'many'>;
}

const OTHER_GROUP = 'a group that you do not see';

const or = new Intl.ListFormat('en', { type: 'disjunction' });
const and = new Intl.ListFormat('en', { type: 'conjunction' });

function comparisonText(condition: FieldComparison, fields: readonly RuledField[]): string {
  const field = fields.find(({ name }) => name === condition.field) ?? {
    name: condition.field,
    type: 'text',
  };
  const text = `${shownName(field)} ${comparisonNames[condition.is]}`;
  return 'value' in condition ? `${text} ${shownText(field, condition.value)}` : text;
}

/** What a lock asks beside the row, after "for everyone". */
function saverText(condition: Exclude<LockCondition, FieldComparison>, groups: Names['groups']): string {
  switch (condition.on) {
    case 'group':
      return `for members of ${or.format(condition.groupIds.map((id) => groups.get(id) ?? OTHER_GROUP))}`;
    case 'person':
      return `for ${or.format(condition.usernames)}`;
    case 'time': {
      const about = dayOrTime(condition.at);
      const zone = about === 'day' ? ' (UTC)' : '';
      return `${condition.is} ${shownText(timeField(about), condition.at)}${zone}`;
    }
  }
}

/** A lock as a sentence: what it closes, when, for whom, and who may open it again. */
export function lockSentence(lock: Lock, { fields, groups, granule }: Names): string {
  const { closes, conditions, mayEnter, openers } = lock;
  const onRow = conditions.filter(isOnField).map((one) => comparisonText(one, fields));
  const beside = conditions.flatMap((one) => (one.on === 'field' ? [] : [saverText(one, groups)]));
  const hasWho = conditions.some(({ on }) => on === 'group' || on === 'person');
  const labels = lock.fields?.map((name) => shownName(fields.find((one) => one.name === name) ?? { name }));
  const rows = onRow.length > 0 ? `${granule.many} where ${and.format(onRow)}` : `all ${granule.many}`;
  const what = labels ? `${and.format(labels)} of ${rows}` : rows;
  const parts = [what, ...(hasWho ? [] : ['for everyone']), ...beside].join(', ');
  const kind = closes === 'when' ? 'Closed' : 'Closed, except';
  const entering = mayEnter ? `; new ${granule.many} and empty values may still be entered` : '';
  const opener = openers === 'OWNER' ? 'the owner and ADMINs' : 'all who may delete';
  return `${kind}: ${parts}${entering}; opened again by ${opener}.`;
}
