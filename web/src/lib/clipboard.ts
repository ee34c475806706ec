/**
 * Copies a text. False if the browser does not allow it: pages that did not come encrypted have no
 * clipboard, and a person may have refused. The text then has to stand where it can be copied by hand.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
