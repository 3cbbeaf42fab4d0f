import { de } from './de.ts';
import { en, type Texts } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';

const languages: Record<string, Texts> = { en, de, fr, es };
let present: Texts = en;

/** The texts in the language of the page. */
export const texts = (): Texts => present;

/** Chooses the language by its code, e.g. `de` or `fr-CH`; English for one that has no texts. */
export function chooseLanguage(code: string): void {
  present = languages[code.toLowerCase().split(/[-_]/)[0] ?? ''] ?? en;
}
