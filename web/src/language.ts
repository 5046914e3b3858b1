// Changes the language: on the page, in the browser's memory, and for the account.

import { put } from './api/client';
import { isLanguage, speak, type Language } from './i18n.svelte';
import { me } from './me.svelte';
import { change, current } from './settings.svelte';

export async function chooseLanguage(wanted: Language): Promise<void> {
  change({ language: wanted });
  await speak(wanted);
  if (me.name === null) return;
  try {
    await put('/me/language', { language: wanted });
  } catch {
    // It holds here all the same.
    return;
  }
}

/** Speaks the account's language where nothing was chosen in this browser. */
export async function followAccount(language: string | null): Promise<void> {
  if (current().language === null && isLanguage(language)) await speak(language);
}
