const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;
const FORBIDDEN = /[\\/:*?"<>|]/g;
const LONGEST = 150;

/** A name without invisible characters, for messages and logs. */
export const shownName = (name: string): string => name.replaceAll(UNSEEN, '');

/** A name that every file system accepts, with its extension. */
export function safeFileName(name: string, ending: string): string {
  const safe = shownName(name).replaceAll(FORBIDDEN, '_').trim().replace(/^\.+/, '').slice(0, LONGEST);
  return `${safe.toWellFormed().replace(/[. ]+$/, '') || 'download'}${ending}`;
}

const escaped = (text: string): string =>
  encodeURIComponent(text).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** RFC 6266: the exact name for clients that decode it, an ASCII name for the others. */
export const attachment = (fileName: string): string =>
  `attachment; filename="${fileName.replace(/[^\w .()-]/g, '_')}"; filename*=UTF-8''${escaped(fileName)}`;
