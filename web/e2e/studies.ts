import { writeFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a story wants of its study; the rest is the same for all of them. */
interface Wish {
  name: string;
  /** Who plays beside the participant. */
  partner?: 'person' | 'kindred';
  limit_s?: number;
  /** TOML that is added at the end. */
  more?: string;
  /** The origins of pages that may embed it. */
  embedders?: string[];
}

const CHOICES = (list: string) =>
  `[${list
    .split(', ')
    .map((text, index) => `{ id = "o${index + 1}", text.en = "[${text}]" }`)
    .join(', ')}]`;

/** All kinds of questions. */
export const EVERY_KIND = `
[[questionnaires]]
id = "before"
when = "before"
title.en = "[Before we begin]"
text.en = "[A few questions about you.]"

[[questionnaires.items]]
id = "hint"
text.en = "[Take the time that you need.]"
answer.note = {}

[[questionnaires.items]]
id = "played"
text.en = "[Have you played such a game before?]"
answer.choice.options = ${CHOICES('Never, Once or twice, More often')}

[[questionnaires.items]]
id = "years"
text.en = "[For how many years have you played music with others?]"
answer.number = { least = 0, most = 80 }

[[questionnaires.items]]
id = "together"
text.en = "[I like to play with strangers.]"
answer.likert = { points = 7, low.en = "[not at all]", high.en = "[completely]" }

[[questionnaires.items]]
id = "awake"
text.en = "[How awake are you?]"
answer.slider = { least = 0, most = 100, step = 1, low.en = "[not at all]", high.en = "[very]" }

[[questionnaires.items]]
id = "cues"
text.en = "[What do you listen to?]"
answer.choices = { options = ${CHOICES('Counting, A feeling, The others')}, least = 1, most = 2 }

[[questionnaires.items]]
id = "word"
text.en = "[One word about today]"
answer.text = { lines = 1, chars_most = 20 }

[[questionnaires.items]]
id = "remarks"
text.en = "[Is there anything else?]"
required = false
answer.text = { lines = 3, chars_most = 200 }
`;

/** Two pages of instructions and a question about them, with two tries. */
export const INSTRUCTIONS = `
[instructions]
tries = 2

[[instructions.pages]]
en = "[Each of you holds a card. You see only your own.]"

[[instructions.pages]]
en = "[Together you put them on one pile, the lowest first.]"

[[instructions.questions]]
id = "order"
text.en = "[In which order do the cards go on the pile?]"
answer.choice.options = ${CHOICES('From low to high, From high to low')}
right = "o1"
`;

export const AFTER = `
[[questionnaires]]
id = "after"
when = "after"
title.en = "[The last question]"

[[questionnaires.items]]
id = "fun"
text.en = "[Did you like it?]"
answer.likert = { points = 5, low.en = "[no]", high.en = "[yes]" }
`;

const ENDS = ['completed', 'partner-left', 'refused', 'not-understood', 'no-partner'] as const;
/** The code of each end. */
export const CODES = {
  completed: '1001',
  'partner-left': '1002',
  refused: '1003',
  'not-understood': '1004',
  'no-partner': '1005',
} as const;

/** Writes the file of a study of one short game. Texts are in brackets, as the story about catalogues wants them. */
export function studyFile({ name, partner = 'person', limit_s = 60, more = '', embedders = [] }: Wish): string {
  const text = `
[study]
name = "${name}"
title.en = "[A short study]"
languages = ["en"]

[consent]
version = "1"
information.en = """
[You play a short card game with another person.]

[It takes two minutes.]
"""
text.en = "[I take part of my own free will.]"

[[consent.statements]]
id = "adult"
text.en = "[I am 18 years old or older.]"

[[consent.statements]]
id = "read"
text.en = "[I have read the information.]"

[link]
embedders = ${JSON.stringify(embedders)}

[waiting]
limit_s = ${limit_s}
text.en = "[You are paid for waiting.]"

[table]
away_s = 10

[[conditions]]
name = "only"
partners = ["${partner}"]

[[conditions.games]]
game = "mind"
setup = "levels=1 lives=3"

${ENDS.map((end) => `[endings.${end}]\ncode = "${CODES[end]}"\naddress = "https://panel.example.org/complete?cc=${end}"\n`).join('\n')}
[data]
retention_days = 30
${more}`;
  const file = join(mkdtempSync(join(tmpdir(), 'unspoken-study-')), `${name}.toml`);
  writeFileSync(file, text);
  return file;
}
