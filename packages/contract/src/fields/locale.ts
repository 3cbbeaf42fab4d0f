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
