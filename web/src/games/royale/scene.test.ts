import { describe, expect, it } from 'vitest';
import type { RoyaleEntry, RoyalePublic, RoyaleSight } from '../../wire.gen';
import { beatOf, scenesOf, type Scene } from './scene';

const entry: RoyaleEntry = { maker: 'A', code: ['B3', 'D1', 'E5'], efforts: { colours: { solved: 2 }, shapes: { solved: 1 } }, points: 3 };

function asked(zone: 'colours' | 'shapes', black: number, white = 0): RoyaleSight {
  const row: [number, number, number] = [2, 4, 5];
  return { notice: { asked: { seat: 'B', row: zone === 'colours' ? { colours: row } : { shapes: row }, pegs: { black, white } } } };
}

/** A table with these numbers of rows asked in the zones. */
function after(colours: number, shapes: number): RoyalePublic {
  const rows = (count: number) => Array.from({ length: count }, () => ({ row: [1, 1, 1], pegs: { black: 0, white: 0 } }));
  return { rows: { colours: rows(colours), shapes: rows(shapes) } } as unknown as RoyalePublic;
}

const kinds = (sights: RoyaleSight[], pub: RoyalePublic) => scenesOf(sights, pub)?.map(({ kind }) => kind);

describe('a moment of Royale', () => {
  it('shows the pegs of a row', () => {
    expect(scenesOf([asked('shapes', 1, 2)], after(0, 1))).toEqual([
      { kind: 'asked', seat: 'B', zone: 'shapes', row: [2, 4, 5], pegs: { black: 1, white: 2 } },
    ]);
  });

  it('says that a zone is solved, and in how many rows', () => {
    expect(scenesOf([asked('colours', 3)], after(4, 2))).toMatchObject([{ kind: 'solved', zone: 'colours', rowsUsed: 4 }]);
  });

  it('says that the last row of a zone was not the right one', () => {
    expect(kinds([asked('colours', 2)], after(8, 2))).toEqual(['spent']);
    expect(kinds([asked('colours', 2)], after(7, 8))).toEqual(['asked']);
  });

  it('ends a round with the code and the points, when its rows are gone already', () => {
    const scenes = scenesOf([asked('colours', 3), { notice: { scored: entry } }, { notice: { covered: entry.code } }], after(0, 0));
    expect(scenes?.map(({ kind }) => kind)).toEqual(['solved', 'uncovered', 'scored']);
    expect(scenes?.[0]).toMatchObject({ rowsUsed: 2 });
    const unsolved: RoyaleEntry = { ...entry, efforts: { ...entry.efforts, colours: 'unsolved' } };
    expect(kinds([asked('colours', 1), { notice: { scored: unsolved } }], after(0, 0))).toEqual(['spent', 'uncovered', 'scored']);
  });

  it('leaves what is told alone when nothing of it happens', () => {
    expect(scenesOf([{ marked: 'A1' }, { hidden: { seat: 'A', code: 'backs' } }], after(0, 0))).toBeUndefined();
  });

  it('holds each message for one to three seconds, with a sound', () => {
    const scenes: Scene[] = [
      ...scenesOf([asked('colours', 0), asked('colours', 3), { notice: { scored: entry } }], after(0, 0))!,
      ...scenesOf([asked('shapes', 0)], after(0, 8))!,
    ];
    expect(new Set(scenes.map(({ kind }) => kind)).size).toBe(5);
    for (const scene of scenes) {
      const { ms, cue } = beatOf(scene);
      expect(ms, scene.kind).toBeGreaterThanOrEqual(1_000);
      expect(ms, scene.kind).toBeLessThanOrEqual(3_000);
      expect(cue, scene.kind).not.toBeNull();
    }
  });
});
