import { createContext, useContext } from 'react';
import { defaultVariant } from './default.tsx';
import type { Variant, Words } from './variant.ts';

export const VariantContext = createContext<Variant>(defaultVariant);
export const useVariant = (): Variant => useContext(VariantContext);
/** The terms to build every sentence from that names one of our things. */
export const useWords = (): Words => useVariant().words;
