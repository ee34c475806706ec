import { fetched, type Problem } from '../lib/api';
import { to } from '../lib/base';
import type { StudyAnswers, StudyArrival, StudyConsent, StudyName, StudyNotes, StudyPage } from '../wire.gen';

const path = (study: StudyName, rest = '') => `/api/study/${study}${rest}`;

export const loadPage = (study: StudyName): Promise<StudyPage | Problem> => fetched(path(study));

/** Says that the participant is here. Where many new people came from, the server asks the page for some work first. */
export async function arrive(study: StudyName, arrival: StudyArrival): Promise<StudyPage | Problem> {
  const answer = await fetched<StudyPage>(path(study, '/arrival'), arrival);
  if (!('code' in answer) || answer.code !== 'proof') return answer;
  const { prove } = await import('../lib/proof');
  const nonce = await prove(answer.challenge, answer.bits);
  return fetched(path(study, '/arrival'), { ...arrival, proof: { challenge: answer.challenge, nonce } });
}

export const sendConsent = (study: StudyName, consent: StudyConsent): Promise<StudyPage | Problem> =>
  fetched(path(study, '/consent'), consent);

export const sendAnswers = (study: StudyName, answers: StudyAnswers): Promise<StudyPage | Problem> =>
  fetched(path(study, '/answers'), answers);

export const leaveStudy = (study: StudyName): Promise<StudyPage | Problem> => fetched(path(study, '/leave'), {});

/** Deletes what the participant gave. */
export async function withdraw(study: StudyName): Promise<StudyPage | Problem> {
  try {
    return (await (await fetch(to(path(study)), { method: 'DELETE' })).json()) as StudyPage | Problem;
  } catch {
    return { code: 'no-connection', text: 'the server does not answer' };
  }
}

/** Whether the server has the notes. `keepalive` lets them arrive after the page is closed. */
export async function sendNotes(study: StudyName, notes: StudyNotes, keepalive: boolean): Promise<boolean> {
  const headers = { 'content-type': 'application/json' };
  try {
    return (await fetch(to(path(study, '/notes')), { method: 'POST', headers, body: JSON.stringify(notes), keepalive })).ok;
  } catch {
    return false;
  }
}
