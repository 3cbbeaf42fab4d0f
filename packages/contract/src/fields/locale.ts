import { english, type FieldLocale } from './field-type.ts';

const partsOf = (parts: readonly { type: string; value: string }[], type: string): number =>
  parts.findIndex((part) => part.type === type);

/** How people of a language write numbers and days; a language alone says nothing of a day where its countries differ. */
export function localeOf(language: string): FieldLocale {
  const [known = 'en'] = Intl.NumberFormat.supportedLocalesOf([language]);
  const decimal = new Intl.NumberFormat(known)
    .formatToParts(1.5)
    .find(({ type }) => type === 'decimal')?.value;
  const date = new Intl.DateTimeFormat(known, { calendar: 'gregory' }).formatToParts(new Date(0));
  const order = partsOf(date, 'day') < partsOf(date, 'month') ? 'day' : 'month';
  return { ...english, decimal: decimal === ',' ? ',' : '.', first: known === 'en' ? undefined : order };
}

/** What an app of the platform says about its formats. */
export interface AppLocale {
  qDecimalSep?: string;
  /** E.g. DD.MM.YYYY. */
  qDateFmt?: string;
}

/** How an app shows numbers and days; what it does not say, the language does. */
export function localeOfApp({ qDecimalSep, qDateFmt }: AppLocale, language: string): FieldLocale {
  const locale = localeOf(language);
  const decimal = qDecimalSep === '.' || qDecimalSep === ',' ? qDecimalSep : locale.decimal;
  const [first] = /[dmy]/i.exec(qDateFmt ?? '') ?? [];
  if (first === undefined) return { ...locale, decimal };
  const byFirst: Readonly<Record<string, FieldLocale['first']>> = { d: 'day', m: 'month' };
  return { ...locale, decimal, first: byFirst[first.toLowerCase()] };
}
