/** The commands without a card that the Mind games share. */
export type Word = 'rest' | 'lift' | 'stop' | 'raise' | 'lower' | 'continue' | 'finish';

/** Whether a word is among the commands that are open to the player now. */
export function offers(commands: readonly unknown[], word: Word): boolean {
  return commands.includes(word);
}
