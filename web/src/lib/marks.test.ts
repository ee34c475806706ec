import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Chair, Mark } from '../wire.gen';
import { marksAt } from './marks';
import { BOT_PICTURES, COLOURS, PICTURES } from './pictures';

const person = (seat: Chair['seat'], mark: Mark): Chair => ({
  seat,
  sitter: {
    person: { name: seat, mark, here: true, held: false, ready: true, alike: false, quality: null, unhurried: false },
  },
});
const MOON: Mark = { picture: 'moon', colour: 'amber' };

describe('marks at a table', () => {
  it('are those that people chose', () => {
    const marks = marksAt([person('A', MOON), person('B', { picture: 'snail', colour: 'blue' })]);
    expect(marks.A).toEqual({ drawing: PICTURES.moon, colour: 'amber' });
    expect(marks.B).toEqual({ drawing: PICTURES.snail, colour: 'blue' });
  });

  it('differ in picture and colour, even where five people chose the same', () => {
    const marks = marksAt((['A', 'B', 'C', 'D', 'E'] as const).map((seat) => person(seat, MOON)));
    expect(marks.A).toEqual({ drawing: PICTURES.moon, colour: 'amber' });
    const all = Object.values(marks);
    expect(new Set(all.map(({ drawing }) => drawing)).size).toBe(5);
    expect(new Set(all.map(({ colour }) => colour)).size).toBe(5);
  });

  it('leave people what they chose where a bot sits before them', () => {
    const bot: Chair = { seat: 'A', sitter: { bot: 'steady' } };
    const marks = marksAt([bot, person('B', { picture: 'wave', colour: 'teal' })]);
    expect(marks.B).toEqual({ drawing: PICTURES.wave, colour: 'teal' });
    expect(marks.A?.drawing).toBe(BOT_PICTURES.steady);
    expect(marks.A?.colour).not.toBe('teal');
  });
});

it('every picture is drawn, and no two are the same', () => {
  const drawings = [...Object.values(PICTURES), ...Object.values(BOT_PICTURES)].map(({ lines = '', filled = '' }) => `${lines}|${filled}`);
  expect(drawings).not.toContain('|');
  expect(new Set(drawings).size).toBe(drawings.length);
  expect(COLOURS).toHaveLength(8);
});

it.each(['en', 'fr', 'de', 'es', 'it'])('every picture and every colour has a name in %s', (locale) => {
  const file = join(import.meta.dirname, `../../messages/${locale}.json`);
  const { mark_pictures, mark_colours } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  expect(new Set(mark_pictures!.split(', ')).size).toBe(Object.keys(PICTURES).length);
  expect(new Set(mark_colours!.split(', ')).size).toBe(COLOURS.length);
});
