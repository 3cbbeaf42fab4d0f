import { showTime } from '@kaptain/contract/fields';
import { commentParts } from '@kaptain/contract/thread-text';
import { texts } from '../texts/texts.ts';
import { button, element } from '../ui/element.ts';
import { relativeTime } from './relative-time.ts';
import type { ShownComment } from './shown-thread.ts';

/** The actions of a person on an own comment. */
export interface CommentActions {
  edit: (comment: ShownComment) => void;
  remove: (comment: ShownComment) => void;
  retry: (comment: ShownComment) => void;
  discard: (comment: ShownComment) => void;
}

/** How long ago; hover and focus show the time itself. */
function timeOf(at: string): HTMLElement {
  const full = showTime(at, 'ifAny');
  const ago = relativeTime(at, Date.now(), texts().language);
  return element(
    'time',
    { datetime: at, tabindex: '0', 'data-full': full, 'aria-label': `${ago}, ${full}` },
    ago,
  );
}

/** Texts become text nodes, never markup; mentions are marked. */
const textOf = (text: string): HTMLElement =>
  element(
    'p',
    { class: 'text' },
    ...commentParts(text).map((part) =>
      'text' in part ? part.text : element('mark', {}, `@${part.mention}`),
    ),
  );

/** Asks again in the same spot, so that a slip deletes nothing. */
function removal(comment: ShownComment, actions: CommentActions): HTMLButtonElement {
  const made = button(texts().thread.remove, () => {
    if (made.dataset['asked'] === 'true') return actions.remove(comment);
    made.dataset['asked'] = 'true';
    made.textContent = texts().thread.removeSurely;
  });
  made.addEventListener('blur', () => {
    delete made.dataset['asked'];
    made.textContent = texts().thread.remove;
  });
  return made;
}

function buttonsOf(comment: ShownComment, actions: CommentActions): HTMLButtonElement[] {
  if (comment.state === 'failed')
    return [
      button(texts().tryAgain, () => actions.retry(comment)),
      button(texts().thread.discard, () => actions.discard(comment)),
    ];
  return [button(texts().thread.edit, () => actions.edit(comment)), removal(comment, actions)];
}

/** One comment of a thread: who, when, what, and what its author can do. */
export function commentItem(comment: ShownComment, isOwn: boolean, actions: CommentActions): HTMLElement {
  const { author, at, editedAt, text, state, message, stored } = comment;
  const head = element('div', { class: 'head-line' }, element('strong', {}, author), timeOf(at));
  if (editedAt !== undefined)
    head.append(element('span', { class: 'by' }, texts().thread.edited(showTime(editedAt, 'ifAny'))));
  if (state !== 'saved') head.append(element('span', { class: 'mark' }, texts().states[state]));
  const item = element('li', { class: 'comment', 'data-state': state }, head, textOf(text));
  if (message !== '') item.append(element('p', { class: 'problem' }, message));
  if (state === 'failed' && stored !== '' && stored !== text)
    item.append(element('p', { class: 'by' }, texts().thread.stored(stored)));
  if (isOwn) item.append(element('div', { class: 'buttons' }, ...buttonsOf(comment, actions)));
  return item;
}

/** The content of an item; the item is made again only when this has changed, so that the focus in it stays. */
export const lookOf = (comment: ShownComment, isOwn: boolean): string =>
  JSON.stringify([
    { ...comment, pending: undefined },
    isOwn,
    relativeTime(comment.at, Date.now(), texts().language),
  ]);
