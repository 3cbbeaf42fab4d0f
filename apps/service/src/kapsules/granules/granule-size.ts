const SHOWN_KEY = 60;
const counted = (bytes: number) => bytes.toLocaleString('en-US');

/** A key for messages; a long one is shortened. */
export const shownKey = (key: string): string =>
  JSON.stringify(key.length > SHOWN_KEY ? `${key.slice(0, SHOWN_KEY).toWellFormed()}…` : key);

/**
 * The message for a granule that is too large. This file imports no HTTP code, because the import thread uses it too.
 */
export const tooLargeMessage = (which: string, bytes: number, most: number): string =>
  `${which} has ${counted(bytes)} bytes of data; one record may have at most ${counted(most)}.`;
