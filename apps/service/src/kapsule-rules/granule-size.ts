const SHOWN_KEY = 60;
const counted = (bytes: number) => bytes.toLocaleString('en-US');

/** Long keys are named by their beginning. */
export const shownKey = (key: string): string =>
  JSON.stringify(key.length > SHOWN_KEY ? `${key.slice(0, SHOWN_KEY).toWellFormed()}…` : key);

/** Why a granule is not taken. It knows nothing of HTTP, because the thread of an import says it too. */
export const tooLargeMessage = (which: string, bytes: number, most: number): string =>
  `${which} has ${counted(bytes)} bytes of data; one record may have at most ${counted(most)}.`;
