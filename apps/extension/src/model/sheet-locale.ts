import { type AppLocale, type FieldLocale, localeOf, localeOfApp } from '@kaptain/contract/fields';
import { texts } from '../texts/texts.ts';

let present: FieldLocale = localeOf('en');

/** Numbers and days are read and shown as the app does it, and else as the browser's language does. */
export function chooseLocale(app: AppLocale | undefined, language: string): void {
  present = localeOfApp(app ?? {}, language);
}

export const sheetLocale = (): FieldLocale => ({
  ...present,
  yes: texts().yes,
  no: texts().no,
  seconds: 'ifAny',
});
