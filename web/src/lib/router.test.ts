import { expect, it } from 'vitest';
import { codeIn, parse } from './router';

it.each([
  ['/', '', { at: 'home' }],
  ['/table/K3F9AB', '', { at: 'table', code: 'k3f9ab', watch: false }],
  ['/table/k3f9ab/', '?watch', { at: 'table', code: 'k3f9ab', watch: true }],
  ['/table/k3f9ab/screen', '', { at: 'screen', code: 'k3f9ab' }],
  ['/replay/K3F9AB-1', '', { at: 'replay', game: 'k3f9ab-1', key: null }],
  ['/replay/k3f9ab-2/', '?key=00ff', { at: 'replay', game: 'k3f9ab-2', key: '00ff' }],
  ['/replay', '', { at: 'nowhere' }],
  ['/me', '', { at: 'record', team: null }],
  ['/me/too', '', { at: 'nowhere' }],
  ['/team/00FF', '', { at: 'record', team: '00ff' }],
  ['/team', '', { at: 'nowhere' }],
  ['/device', '', { at: 'device' }],
  ['/device/00ff', '', { at: 'nowhere' }],
  ['/accessibility', '', { at: 'access' }],
  ['/accessibility/more', '', { at: 'nowhere' }],
  ['/study/tempo-report', '?PROLIFIC_PID=1', { at: 'study', name: 'tempo-report' }],
  ['/study', '', { at: 'nowhere' }],
  ['/study/Tempo', '', { at: 'nowhere' }],
  ['/study/tempo-report/more', '', { at: 'nowhere' }],
  ['/learn', '', { at: 'learn', game: null }],
  ['/learn/royale', '', { at: 'learn', game: 'royale' }],
  ['/rules/extreme', '', { at: 'rules', game: 'extreme' }],
  ['/rules', '', { at: 'nowhere' }],
  ['/rules/chess', '', { at: 'nowhere' }],
  ['/table', '', { at: 'nowhere' }],
  ['/table/undefined', '', { at: 'nowhere' }],
  ['/table/k3f9/screen', '', { at: 'nowhere' }],
  ['/nope', '', { at: 'nowhere' }],
  ['/table/k3f9ab/screen/more', '', { at: 'nowhere' }],
  ['/api/me', '', { at: 'nowhere' }],
])('%s%s', (path, search, route) => {
  expect(parse(path, search)).toEqual(route);
});

it.each([
  ['k3f9ab', 'k3f9ab'],
  [' K3F 9AB ', 'k3f9ab'],
  ['https://example.org/table/k3f9ab', 'k3f9ab'],
  ['come to http://localhost:8080/table/k3f9ab/screen now', 'k3f9ab'],
  ['k3f9', null],
  ['', null],
])('the code in "%s"', (text, code) => {
  expect(codeIn(text)).toBe(code);
});
