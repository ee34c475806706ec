import { describe, expect, it } from 'vitest';
import type { OwnedCard } from './face';
import { beatOf, scenesOf as scenesAfter, type After, type Landing } from './scene';
import type { Story } from './story';

const card = (value: number): OwnedCard => ({ seat: 'A', face: { value, colour: null } });
const erred = { kind: 'erred' as const, played: card(34), earlier: [card(26)] };
const landing: Landing = { pile: [card(34)], colour: null, blind: false, wrong: true };
const pile = (count: number, turned: boolean) => ({ cards: Array.from({ length: count }, (_, index) => card(index + 1)), turned });
const completed = (changes: Partial<Extract<Story, { kind: 'completed' }>> = {}): Story => ({
  kind: 'completed',
  level: 3,
  reward: 'life',
  by: null,
  piles: [pile(4, false)],
  check: null,
  oneSided: null,
  ...changes,
});
const scenesOf = (story: Story | null, first: Landing | null, after: Partial<After> = {}) =>
  scenesAfter(story, first, { begun: null, lives: 3, ...after });
const kinds = (story: Story, first: Landing | null = landing) => scenesOf(story, first).map(({ kind }) => kind);

describe('a moment', () => {
  it('is told one message after the other', () => {
    expect(kinds(erred)).toEqual(['landed', 'erred']);
    expect(kinds({ kind: 'starred', cards: [card(3)] }, null)).toEqual(['starred']);
    expect(kinds({ kind: 'stopped', seat: 'B' }, null)).toEqual(['stopped']);
    expect(kinds(completed())).toEqual(['landed', 'completed']);
  });

  it('shows a mistake before the level that it completed', () => {
    expect(kinds(completed({ by: erred }))).toEqual(['landed', 'erred', 'completed']);
  });

  it('turns a blind pile over before it says that the level is complete', () => {
    const check = { mistakes: 1, cost: 1 };
    expect(kinds(completed({ piles: [pile(4, true), pile(0, false)], check }))).toEqual(['landed', 'turned', 'completed']);
    expect(kinds({ kind: 'turned', piles: [pile(4, true)], check })).toEqual(['landed', 'turned']);
  });

  it('holds each message for one to three seconds, however long the pile is', () => {
    const stories: Story[] = [
      erred,
      { kind: 'stopped', seat: 'B' },
      { kind: 'starred', cards: [card(3)] },
      completed({ by: erred, piles: [pile(48, true)] }),
    ];
    const scenes = stories.flatMap((story) => scenesOf(story, null));
    expect(scenes).toHaveLength(6);
    for (const scene of scenes) {
      expect(beatOf(scene).ms, scene.kind).toBeGreaterThanOrEqual(1_000);
      expect(beatOf(scene).ms, scene.kind).toBeLessThanOrEqual(3_000);
    }
  });

  it('begins with all hands lifted together, for about a second', () => {
    const begun = scenesOf(null, null, { begun: ['A', 'B'] });
    expect(begun).toEqual([{ kind: 'lifted', seats: ['A', 'B'] }]);
    expect(beatOf(begun[0]!).ms).toBeLessThanOrEqual(1_200);
    expect(scenesOf(null, null)).toEqual([]);
  });

  it('has a sound of its own where one life is left, however it was lost', () => {
    const cues = (story: Story, lives: number) => scenesOf(story, null, { lives }).map((scene) => beatOf(scene).cue);
    expect(cues(erred, 1)).toEqual(['last-life']);
    expect(cues(erred, 2)).toEqual(['mistake']);
    expect(cues(completed({ by: erred }), 1)).toEqual(['last-life', 'complete']);
    const check = { mistakes: 1, cost: 1 };
    expect(cues(completed({ piles: [pile(4, true)], check }), 1)).toEqual(['turn', 'last-life']);
    // One life is left, and this level cost none.
    expect(cues(completed({ piles: [pile(4, true)], check: { mistakes: 0, cost: 0 } }), 1)).toEqual(['turn', 'complete']);
  });
});
