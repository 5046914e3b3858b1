// The style sheet of the element, as a constructed sheet: a page may forbid style elements.

import css from './board.css?inline';

let sheet: CSSStyleSheet | null = null;

/** Gives a shadow root the board's styles. */
export function adopt(root: ShadowRoot): void {
  if (!('adoptedStyleSheets' in root) || typeof CSSStyleSheet === 'undefined') return;
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
  }
  root.adoptedStyleSheets = [sheet];
}
