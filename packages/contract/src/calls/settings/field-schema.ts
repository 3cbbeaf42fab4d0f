import { z } from 'zod';
import { filledText, plainText } from '../../kit/text.ts';
import { limits } from '../../rules/limits.ts';
import { generic } from '../../rules/messages.ts';
import type { SettingField } from './data-source-fields.ts';

/** Replaces a set secret in answers; sent back, it means "keep". */
export const SECRET_MASK = '********';

/** An integer, or its digits as text, as forms send it; no other text that JavaScript would convert. */
const wholeNumber = (message: string) =>
  z
    .union([z.number(), z.string().regex(/^\d{1,15}$/, message)], { error: message })
    .transform(Number)
    .pipe(z.number().int(message));

export const port = (label: string) => {
  const message = generic('number', { label });
  const range = generic('range', { label, min: 1, max: 65_535 });
  return wholeNumber(message).pipe(z.number().min(1, range).max(65_535, range));
};

function schemaOf(field: SettingField): z.ZodType {
  switch (field.kind) {
    case 'checkbox':
      return z.boolean().default(field.default === true);
    case 'port':
      return port(field.label);
    case 'number': {
      const message = generic('number', { label: field.label });
      return wholeNumber(message).pipe(z.number().min(0, message));
    }
    case 'secret':
      return plainText(limits.passwordMaxBytes).optional();
    case 'text':
      return field.required
        ? filledText(generic('required', { label: field.label }))
        : plainText(limits.nameCharacters).default('');
  }
}

/** The schema of a block of fields; `OPTIONS.encrypt` becomes a field of the nested object OPTIONS. */
export function blockSchema(fields: readonly SettingField[]): z.ZodObject {
  const flat: Record<string, z.ZodType> = {};
  const nested: Record<string, Record<string, z.ZodType>> = {};
  for (const field of fields) {
    const [outer = '', inner] = field.key.split('.');
    if (inner === undefined) flat[outer] = schemaOf(field);
    else (nested[outer] ??= {})[inner] = schemaOf(field);
  }
  for (const [name, shape] of Object.entries(nested)) flat[name] = z.object(shape).prefault({});
  return z.object(flat);
}
