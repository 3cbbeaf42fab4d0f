import { atMostOne } from './any-value.ts';
import type { FieldDefinition } from './field-type.ts';
import { text } from './text.ts';

const SCHEMES = new Set(['https:', 'http:', 'mailto:']);

/** The address as browsers write it; undefined for one that runs script or that no browser opens. */
function addressIn(typed: unknown): string | undefined {
  if (typeof typed !== 'string' || !URL.canParse(typed.trim())) return undefined;
  const url = new URL(typed.trim());
  return SCHEMES.has(url.protocol) ? url.href : undefined;
}

/** An address of the web or of a mail box. */
export const link: FieldDefinition = {
  ...text,
  earlier: 'text',
  enteredAs: 'link',
  canonical: addressIn,
  readings(typed) {
    const trimmed = typed.trim();
    if (trimmed === '') return [null];
    return atMostOne(
      addressIn(trimmed) ?? (trimmed.includes('.') ? addressIn(`https://${trimmed}`) : undefined),
    );
  },
  refusal: 'is not an address, e.g. https://example.com!',
};
