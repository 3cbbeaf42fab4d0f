const ASCII = /^[\p{ASCII}]*$/u;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** So many marks behind each other are sorted in no time. */
const SHORT = 200;
/** Marks, and the two letters that become marks, as many as a stream-safe text has behind each other. */
const RUN = /[[\p{M}\uff9e\uff9f]--\u034f]{30}(?=[[\p{M}\uff9e\uff9f]--\u034f])/gv;
/** Stands between marks as a letter does, and is not seen. */
const JOINER = '\u034f';

/** Sorting marks takes a time that grows with the square of their number, so that no run of them stays long. */
const withShortRuns = (text: string): string =>
  text.length > SHORT && text.search(RUN) >= 0 ? text.replaceAll(RUN, `$&${JOINER}`) : text;

/** Normalizes text for searching: ignores compatibility forms, case and the final form of sigma; keeps accents. */
export function foldText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  // Lower, upper, lower: only upper case maps ß to SS, and only lower case maps ẞ to ß.
  const folded = withShortRuns(text).normalize('NFKC').toLowerCase().toUpperCase().toLowerCase();
  // Lower case has a final form of sigma, and leaves the dot of İ as a combining character.
  return folded.replaceAll('ς', 'σ').replaceAll('i\u0307', 'i').normalize('NFKC');
}

/** Normalizes a name for comparison: names that differ only in case, width or invisible characters are equal. */
export function foldName(name: string): string {
  return foldText(name.replaceAll(INVISIBLE, '')).trim();
}
