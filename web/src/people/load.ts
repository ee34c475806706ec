import { fetched, type Problem } from '../lib/api';
import { to } from '../lib/base';
import type { Code, Companion, GameName, Invitation, Language, PartnerSearch } from '../wire.gen';

export interface PartnerWish {
  game: GameName;
  players: number;
  language: Language;
}

export const searchPartners = (wish: PartnerWish): Promise<PartnerSearch | Problem> => fetched('/api/partners', wish);

/** How far our search is. The server takes a page that does not ask for gone. */
export const searchState = (): Promise<PartnerSearch | Problem> => fetched('/api/partners');

export function endSearch(): void {
  // A search that is not ended ends by itself after some seconds.
  void fetch(to('/api/partners'), { method: 'DELETE', keepalive: true }).catch(() => undefined);
}

/** The people we have played with, the latest first. */
export async function companions(): Promise<Companion[]> {
  const answer = await fetched<Companion[]>('/api/me/people');
  return 'code' in answer ? [] : answer;
}

/** Opens a table and invites a person there. */
export const invite = (person: string): Promise<{ table: Code } | Problem> => fetched('/api/me/invitations', { person });

/** The invitations that wait for us; `null` if the server does not answer. */
export async function invitations(): Promise<Invitation[] | null> {
  const answer = await fetched<Invitation[]>('/api/me/invitations');
  return 'code' in answer ? null : answer;
}

/** An invitation waits no longer: it was accepted or declined. */
export async function answerInvitation(id: string): Promise<void> {
  // If the server does not answer, the invitation is shown again.
  await fetch(to(`/api/me/invitations/${id}`), { method: 'DELETE', keepalive: true }).catch(() => undefined);
}
