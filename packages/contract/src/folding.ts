const ASCII = /^[\p{ASCII}]*$/u;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** Text as it is searched: compatibility forms, case and both forms of sigma make no difference; accents do. */
export function foldText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  // There and back, because only upper case unites ß and SS, and only lower case ẞ and ß.
  const folded = text.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase();
  // Sigma has a second form at the end of a word, and İ leaves its dot behind.
  return folded.replaceAll('ς', 'σ').replaceAll('i\u0307', 'i').normalize('NFKC');
}

/** A name as it is compared, so that no look-alike in case, width or invisible characters stands beside it. */
export function foldName(name: string): string {
  return foldText(name.replaceAll(INVISIBLE, '')).trim();
}
