import { type FieldLocale, localeOf } from '@kaptain/contract/fields';

let known: { language: string; locale: FieldLocale } | undefined;

/** How the person of this browser writes numbers and days. */
export function personLocale(): FieldLocale {
  const { language } = navigator;
  if (known?.language !== language) known = { language, locale: localeOf(language) };
  return known.locale;
}
