import { createContext, useContext } from 'react';
import { defaultVariant } from './default.tsx';
import type { Variant, Words } from './variant.ts';

export const VariantContext = createContext<Variant>(defaultVariant);
export const useVariant = (): Variant => useContext(VariantContext);
/** The product terms of the variant, for every text that names one. */
export const useWords = (): Words => useVariant().words;
