/** The texts of a page of Markdown, by their markup. */
export interface Page {
  file: string;
  text: string;
  /** The lines of its code blocks, and its code within sentences. */
  code: string[];
  /** Its JSON blocks, parsed. */
  json: Record<string, unknown>[];
  /** The words of a screen. */
  bold: string[];
  /** The answers of the service. */
  italic: string[];
  /** The names of its headings in links. */
  anchors: string[];
}

const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

const groups = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, group = '']) => group.replace(/\s+/g, ' '));

export function readPage(file: string, source: string): Page {
  const text = source.replaceAll('\r\n', '\n');
  const blocks = [...text.matchAll(/^( *)```(\w*)\n(.*?)^ *```$/gms)];
  const prose = text.replace(/^ *```.*?^ *```$/gms, '');
  // A sentence in bold, which ends with a full stop or a colon, stresses something.
  const bold = groups(prose, /\*\*([^*]+)\*\*/g).filter((words) => !/[.:]$/.test(words));
  const sentences = prose.replace(/\*\*[^*]+\*\*/g, '').replace(/`[^`\n]*`/g, '');
  return {
    file,
    text,
    code: [...blocks.flatMap(([, , , code = '']) => code.split('\n')), ...groups(prose, /`([^`\n]+)`/g)].map(
      (line) => line.trim(),
    ),
    json: blocks.filter(([, , language]) => language === 'json').map(([, , , code = '']) => JSON.parse(code)),
    bold,
    italic: groups(sentences, /(?<![\w*])\*([A-Za-z][^*]*[.…])\*(?![\w*])/g),
    anchors: groups(prose, /^#+ (.+)$/gm).map(anchorOf),
  };
}

/** The links to files of the repository, with the page that has them. */
export function linksIn({ file, text }: Page): { file: string; path: string; anchor: string | undefined }[] {
  const prose = text.replace(/^ *```.*?^ *```$/gms, '').replace(/`[^`\n]*`/g, '');
  return groups(prose, /\]\(([^)\s]+)\)/g)
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => {
      const [path = '', anchor] = link.split('#');
      return { file, path, anchor };
    });
}
