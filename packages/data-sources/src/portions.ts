import type { Row } from './dialect.ts';

/** What a portion of a stream has at most, unless a single row is larger. */
const MOST = { rows: 2_000, characters: 1024 * 1024 };
const FIRST_ROWS = 16;
const GROWTH = 4;

function charactersOf(row: Row): number {
  let characters = 0;
  for (const cell of row) characters += typeof cell === 'string' ? cell.length : 16;
  return characters;
}

/** Rows that come one by one, in portions. */
export async function* inPortions(rows: AsyncIterable<Row>): AsyncGenerator<Row[]> {
  let portion: Row[] = [];
  let characters = 0;
  for await (const row of rows) {
    portion.push(row);
    characters += charactersOf(row);
    if (portion.length < MOST.rows && characters < MOST.characters) continue;
    yield portion;
    portion = [];
    characters = 0;
  }
  if (portion.length > 0) yield portion;
}

/** How many rows a cursor is asked for: few at first, later as many as made a full portion so far. */
export class FetchSize {
  #rows = FIRST_ROWS;

  get rows(): number {
    return this.#rows;
  }

  learn(portion: readonly Row[]): void {
    const characters = portion.reduce((sum, row) => sum + charactersOf(row), 1);
    const fitting = Math.floor((MOST.characters * portion.length) / characters);
    this.#rows = Math.max(1, Math.min(MOST.rows, this.#rows * GROWTH, fitting));
  }
}
