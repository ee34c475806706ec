/** Whether a key meant for the table was pressed: not one for a button, a field or a dialog. */
export function isForTable(event: KeyboardEvent): boolean {
  return !(event.target instanceof Element && event.target.closest('button, a, input, select, summary, dialog'));
}
