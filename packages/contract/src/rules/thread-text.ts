/** One comment of a thread. */
export interface ThreadComment {
  /** Made by the page that sent it, so that a repeated request adds no second comment. */
  id: string;
  /** The proven user, as granules carry it. */
  author: string;
  /** The time of the service, in UTC to the second. */
  at: string;
  text: string;
  editedAt?: string;
}

export interface Thread {
  /** Text without an author in front of the comments, e.g. of a field that was a text before. */
  preface: string;
  /** Newest last. */
  comments: ThreadComment[];
}

const TIME = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`;
const ID = '[a-z0-9]{8,32}';
/** Time, author, id, and the time of the last edit: the id is the last one in brackets, so no author can pretend to have one. */
const HEADING = new RegExp(`^(${TIME}) (.*) \\[(${ID})\\](?: edited (${TIME}))?$`);
const INDENT = '  ';
const MENTION = /@\[([^[\]\n]{1,255})\]/g;

export const isCommentId = (text: string): boolean => new RegExp(`^${ID}$`).test(text);

/** The time of a comment: ISO 8601 in UTC, to the second. */
export const commentTime = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** A name on one line, because a heading is one. */
export const oneLine = (name: string): string => name.replaceAll(/[\n\r\u2028\u2029]/g, ' ');

/** A comment as it is stored: line ends of one kind, no white space around it. */
export const plainComment = (text: string): string => text.replaceAll(/\r\n?/g, '\n').trim();

const headingOf = ({ at, author, id, editedAt }: ThreadComment): string =>
  `${at} ${oneLine(author)} [${id}]${editedAt === undefined ? '' : ` edited ${editedAt}`}`;

const linesOf = (comment: ThreadComment): string[] => [
  headingOf(comment),
  ...comment.text.split('\n').map((line) => `${INDENT}${line}`),
];

/**
 * The value of a thread field: text that people read in a file, a database or an app as it is. Each comment is a
 * heading, and its lines indented below it.
 */
export const writeThread = ({ preface, comments }: Thread): string =>
  [...(preface === '' ? [] : [preface]), ...comments.flatMap(linesOf)].join('\n');

/** Reads any value: what is no comment becomes the preface, or belongs to the comment before it. */
export function readThread(value: unknown): Thread {
  const text = value === null || value === undefined ? '' : value;
  const preface: string[] = [];
  const comments: (ThreadComment & { lines: string[] })[] = [];
  for (const line of (typeof text === 'string' ? text : JSON.stringify(text)).split(/\r?\n/)) {
    const [, at, author = '', id = '', editedAt] = HEADING.exec(line) ?? [];
    if (at !== undefined)
      comments.push({ id, author, at, text: '', ...(editedAt !== undefined && { editedAt }), lines: [] });
    else (comments.at(-1)?.lines ?? preface).push(comments.length > 0 ? line.replace(/^ {2}/, '') : line);
  }
  return {
    preface: preface.join('\n'),
    comments: comments.map(({ lines, ...comment }) => ({ ...comment, text: lines.join('\n') })),
  };
}

/** How a person is mentioned in the text of a comment; undefined for a name that can not be. */
export function mentionOf(name: string): string | undefined {
  const mention = `@[${name}]`;
  return mention.match(MENTION)?.[0] === mention ? mention : undefined;
}

type CommentPart = { text: string } | { mention: string };

/** The text of a comment, with its mentions apart. */
export function commentParts(text: string): CommentPart[] {
  const parts: CommentPart[] = [];
  let end = 0;
  for (const { 0: whole, 1: mention = '', index } of text.matchAll(MENTION)) {
    if (index > end) parts.push({ text: text.slice(end, index) });
    parts.push({ mention });
    end = index + whole.length;
  }
  return end < text.length ? [...parts, { text: text.slice(end) }] : parts;
}

/** The text with the mentions of these people only; other names stay as plain text. */
export function withMentionsOf(text: string, isKnown: (name: string) => boolean): string {
  const settled = commentParts(text)
    .map((part) => {
      if ('text' in part) return part.text;
      return isKnown(part.mention) ? `@[${part.mention}]` : `@${part.mention}`;
    })
    .join('');
  // The brackets around a name that was left out may have become those of another one.
  return settled === text ? text : withMentionsOf(settled, isKnown);
}

/** A comment as people read it: mentions without brackets. */
export const shownComment = (text: string): string =>
  commentParts(text)
    .map((part) => ('text' in part ? part.text : `@${part.mention}`))
    .join('');
