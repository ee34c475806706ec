/** How many levels a table of one's own can have. */
export const ROWS_MOST = 12;

/** The rows of a level table as the server writes them. */
export function rowsOf(table: string): string[] {
  return table.split(',').filter((row) => row !== '');
}

/** The first rows, or all of them and the last one again. */
export function resized(rows: string[], count: number): string[] {
  const last = rows.at(-1);
  if (last === undefined) return [];
  return Array.from({ length: count }, (_, level) => rows[level] ?? last);
}
