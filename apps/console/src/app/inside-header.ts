/** Keeps the popup of a header button inside the header, which is the landmark it belongs to. */
export const insideHeader = (opener: HTMLElement): HTMLElement => opener.closest('header') ?? document.body;
