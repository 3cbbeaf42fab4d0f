import type { Variant as VariantName } from '@kaptain/contract/about';
import { alternativeVariant } from './alternative.tsx';
import { defaultVariant } from './default.tsx';
import type { Variant } from './variant.ts';

export const variants: Record<VariantName, Variant> = {
  default: defaultVariant,
  alternative: alternativeVariant,
};
