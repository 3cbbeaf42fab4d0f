/** A rule about the text of a document: what breaks it, and an example that breaks it once. */
export interface Rule {
  name: string;
  broken: (text: string) => string[];
  example: string;
  /** Documents to which it does not apply yet, or that have another purpose. */
  except?: string[];
  only?: RegExp;
}

const LINE_CHARACTERS = 140;
const CELL_WORDS = 25;
const DECISION_LINES = 40;

const measurements = 'bench/RESULTS.md';

/** The lines outside of code blocks, with their numbers; a command is one line to copy, however long. */
function linesOf(text: string): { line: string; number: number }[] {
  let isCode = false;
  return text.split('\n').flatMap((line, index) => {
    const isFence = /^ *```/.test(line);
    if (isFence) isCode = !isCode;
    return isCode || isFence ? [] : [{ line, number: index + 1 }];
  });
}

const isRow = (line: string | undefined): boolean => /^ *\|/.test(line ?? '');
const wordsIn = (text: string): number => text.split(/\s+/).filter(Boolean).length;

/** The parts of a row of a table; a bar within code belongs to its cell. */
const cellsOf = (row: string): string[] =>
  row.replace(/`[^`]*`/g, (code) => code.replaceAll('|', ' ')).split(/(?<!\\)\|/);

const isSeparator = (line: string | undefined): boolean => /^ *\|[\s:|-]+\|? *$/.test(line ?? '');

export const rules: Rule[] = [
  {
    name: `have lines of at most ${LINE_CHARACTERS} characters`,
    broken: (text) =>
      linesOf(text)
        .filter(({ line }) => line.length > LINE_CHARACTERS)
        .map(({ number }) => `line ${number}`),
    example: `short\n${'x'.repeat(LINE_CHARACTERS + 1)}\n`,
    except: [measurements],
  },
  {
    name: `have cells of at most ${CELL_WORDS} words in tables`,
    broken: (text) =>
      linesOf(text)
        .filter(({ line }) => isRow(line) && cellsOf(line).some((cell) => wordsIn(cell) > CELL_WORDS))
        .map(({ number }) => `line ${number}`),
    example: `| a |\n|---|\n| ${'word '.repeat(CELL_WORDS + 1)}|\n`,
    except: [measurements],
  },
  {
    name: 'have no table that an empty line breaks',
    broken: (text) => {
      const lines = linesOf(text);
      return lines.flatMap(({ line, number }, index) => {
        const isFirst = isRow(line) && !isRow(lines[index - 1]?.line);
        return isFirst && !isSeparator(lines[index + 1]?.line) ? [`line ${number}`] : [];
      });
    },
    example: '| a |\n|---|\n| one |\n\n| two |\n',
  },
  {
    name: 'have no code within a sentence that goes on in the next line',
    broken: (text) =>
      linesOf(text)
        .filter(({ line }) => line.split('`').length % 2 === 0)
        .map(({ number }) => `line ${number}`),
    example: 'Run `kaptain\ndoctor now.\n',
  },
  {
    name: 'have dates only in the measurements and the changelog',
    broken: (text) =>
      linesOf(text)
        .filter(({ line }) => /\b20\d\d-\d\d-\d\d\b/.test(line.replace(/`[^`]*`/g, '')))
        .map(({ number }) => `line ${number}`),
    example: 'Tried on 2026-01-31.\n',
    except: [measurements, 'CHANGELOG.md'],
  },
  {
    name: `say a decision in at most ${DECISION_LINES} lines: its context, the decision, its price`,
    broken: (text) => {
      const missing = ['**Context', '**Decision', '**Price'].filter((part) => !text.includes(part));
      const lines = text.trimEnd().split('\n').length;
      return [...missing, ...(lines > DECISION_LINES ? [`${lines} lines`] : [])];
    },
    example: '# 1. Title\n\n**Context.** …\n\n**Decision.** …\n',
    only: /^docs\/decisions\//,
  },
];
