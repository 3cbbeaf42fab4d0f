const ASCII = /^[\p{ASCII}]*$/u;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** Normalizes text for searching: ignores compatibility forms, case and the final form of sigma; keeps accents. */
export function foldText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  // Lower, upper, lower: only upper case maps ß to SS, and only lower case maps ẞ to ß.
  const folded = text.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase();
  // Lower case has a final form of sigma, and leaves the dot of İ as a combining character.
  return folded.replaceAll('ς', 'σ').replaceAll('i\u0307', 'i').normalize('NFKC');
}

/** Normalizes a name for comparison: names that differ only in case, width or invisible characters are equal. */
export function foldName(name: string): string {
  return foldText(name.replaceAll(INVISIBLE, '')).trim();
}
