import type { ReactNode } from 'react';

/** One noun in running text and at the beginning of a sentence or as a title. */
export interface Term {
  one: string;
  many: string;
  One: string;
  Many: string;
}

/** The product terms (SPEC, introduction). */
export interface Words {
  /** The service that is administered, as a name. */
  service: string;
  /** The comment feature. */
  komment: Term;
  kapsule: Term;
  granule: Term;
  database: Term;
  /** An SQL database of the customer that can hold granules: the settings list them. */
  dataSource: Term;
  /** The service's own database, which the calls name kaptaindb. */
  ownDatabase: string;
  /** The business-intelligence platform. */
  platform: string;
}

/** Shades of the primary colour; text in `base` on `soft`, and button text on all others, reach 4.5:1. */
export interface Shades {
  base: string;
  hover: string;
  active: string;
  /** The background of selected items. */
  soft: string;
  softHover: string;
  border: string;
}

export interface Variant {
  words: Words;
  /** The browser's tab and window title. */
  pageTitle: string;
  /** One sentence for the login screen. */
  claim: string;
  primary: { light: Shades; dark: Shades };
  /** The drawing of the logo mark, inside a 32 × 32 box; it is painted in the current text colour. */
  mark: ReactNode;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** A term as a title: every word begins with a capital. */
export const titleOf = ({ one }: Pick<Term, 'one'>): string => one.split(' ').map(capital).join(' ');

export const term = (one: string, many: string): Term => ({
  one,
  many,
  One: capital(one),
  Many: capital(many),
});
