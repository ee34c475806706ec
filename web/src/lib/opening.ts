import * as api from './api';
import { naming } from './naming.svelte';
import { go } from './place.svelte';

/** What a page should do with a table once it has joined it. */
const PLAN = 'unspoken.plan';

/** `sit`: take a seat. `bots`: fill the other seats with bots and start. `watch`: be a spectator. */
export type Plan = 'sit' | 'bots' | 'watch';

/** Opens a table and goes there; gives back what is in the way, if anything. */
export async function openTable(wish: api.Wish, plan: Plan): Promise<api.Problem | null> {
  if (!(await naming.need())) return null;
  const answer = await api.open(wish);
  if ('code' in answer) return answer;
  planFor(answer.table, plan);
  go(`/table/${answer.table}`);
  return null;
}

/** Kept for this tab only, so that coming back by a reload does not carry it out again. */
export function planFor(code: string, plan: Plan): void {
  sessionStorage.setItem(`${PLAN}.${code}`, plan);
}

/** The plan for a table; `null` once it has been carried out. */
export function planOf(code: string): Plan | 'done' | null {
  return sessionStorage.getItem(`${PLAN}.${code}`) as Plan | 'done' | null;
}

export function planDone(code: string): void {
  sessionStorage.setItem(`${PLAN}.${code}`, 'done');
}
