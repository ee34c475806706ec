/** Whether the person wants notifications on this device. The browser itself shows them: nothing is sent to other services. */
const WANTED = 'unspoken.notify';

export type Permission = 'granted' | 'denied' | 'default' | 'none';

/** What the browser allows; `none` if it has no notifications. */
export const permission = (): Permission => ('Notification' in globalThis ? Notification.permission : 'none');

export const isWanted = (): boolean => localStorage.getItem(WANTED) === 'yes' && permission() === 'granted';

/** Turns notifications on or off; asks the browser where it has to. Resolves to whether they are on. */
export async function want(on: boolean): Promise<boolean> {
  const allowed = on && permission() === 'default' ? await Notification.requestPermission() : permission();
  localStorage.setItem(WANTED, on && allowed === 'granted' ? 'yes' : 'no');
  return isWanted();
}

/** Shows a notification, if they are wanted. */
export function notify(text: string, tag: string, onclick: () => void): void {
  if (!isWanted()) return;
  try {
    const shown = new Notification('Unspoken', { body: text, tag });
    shown.onclick = () => {
      window.focus();
      shown.close();
      onclick();
    };
  } catch {
    // Some phones show notifications of installed pages alone; the invitation still waits on the home page.
  }
}
