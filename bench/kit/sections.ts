/**
 * A Markdown text with another body of the section under these headings, the first of level 2, the next of level 3. A missing
 * section is added at the end of the one that it belongs to.
 */
export function withSection(text: string, headings: readonly string[], body: string, level = 2): string {
  const [heading = '', ...deeper] = headings;
  const title = `\n${'#'.repeat(level)} ${heading}\n`;
  const inside = (old: string) =>
    (deeper.length > 0 ? withSection(old, deeper, body, level + 1) : `\n${body}`).trimEnd();
  const at = text.indexOf(title);
  if (at < 0) return `${text.trimEnd()}\n${title}\n${inside('').trimStart()}\n`;
  const begin = at + title.length;
  const length = text.slice(begin).search(new RegExp(`^#{2,${level}} `, 'm'));
  const end = length < 0 ? text.length : begin + length;
  const rest = length < 0 ? '' : `\n${text.slice(end)}`;
  return `${text.slice(0, begin)}${inside(text.slice(begin, end))}\n${rest}`;
}
