import { fetched, type Problem } from '../lib/api';
import type { DeviceLink, DeviceLinkState, DeviceRequest, Devices, Phrase, SignIn } from '../wire.gen';
import { to } from '../lib/base';

const JSON_TYPE = { 'content-type': 'application/json' };
const UNANSWERED: Problem = { code: 'no-connection', text: 'the server does not answer' };

export const loadDevices = (): Promise<Devices | Problem> => fetched('/api/me/devices');

/** Signs all other devices out. */
export const signOutOthers = (): Promise<Devices | Problem> => sent('/api/me/devices', { method: 'DELETE' });

/** A link that signs another device in, to be shown there. */
export const openLink = (): Promise<DeviceLink | Problem> => sent('/api/me/device-link', { method: 'POST' });

export const linkState = (): Promise<DeviceLinkState | Problem> => fetched('/api/me/device-link');

/** Signs the device in that shows this number. */
export const confirmDevice = (number: number): Promise<DeviceLinkState | Problem> =>
  sent('/api/me/device-link', { method: 'PUT', headers: JSON_TYPE, body: JSON.stringify({ number }) });

/** Ends the link, if there is one. */
export function endLink(): void {
  // A link that is not ended ends by itself after two minutes.
  void fetch(to('/api/me/device-link'), { method: 'DELETE', keepalive: true }).catch(() => undefined);
}

/** Asks to be signed in here by a link. */
export const askToSignIn = (token: string): Promise<DeviceRequest | Problem> => fetched('/api/devices', { token });

/** Signs in here, once the other device has confirmed it. */
export const signIn = (ticket: string): Promise<SignIn | Problem> => fetched('/api/devices/sign-in', { token: ticket });

export const recover = (words: string): Promise<SignIn | Problem> => fetched('/api/devices/recover', { words });

export const makePhrase = (): Promise<Phrase | Problem> => sent('/api/me/phrase', { method: 'POST' });

/** Whether an answer says what is in the way. */
export function isProblem<T>(answer: T | Problem): answer is Problem {
  return typeof answer === 'object' && answer !== null && 'code' in answer;
}

async function sent<T>(path: string, request: RequestInit): Promise<T | Problem> {
  try {
    return (await (await fetch(to(path), request)).json()) as T | Problem;
  } catch {
    return UNANSWERED;
  }
}
