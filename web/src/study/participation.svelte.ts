import type { Problem } from '../lib/api';
import { isLocale, keepLocaleInTab } from '../lib/locale';
import { language } from '../lib/language.svelte';
import { session } from '../lib/session.svelte';
import type { Code, StudyAnswers, StudyName, StudyPage, StudyStep } from '../wire.gen';
import { isEmbedded, tellParent } from './embedding';
import { arrive, leaveStudy, loadPage, sendAnswers, sendConsent, withdraw } from './load';

/** The name of a step, as in `waiting`. */
export type StepName = StudyStep extends infer Step ? (Step extends unknown ? keyof Step : never) : never;

/** Tables whose game this participant has seen to its end: the study goes on from them, and does not lead back. */
export const finishedTables = new Set<Code>();

/** A participant's way through a study, as the server last said it. */
export class Participation {
  readonly study: StudyName;
  page = $state.raw<StudyPage | null>(null);
  /** Why the last request was not done. */
  problem = $state.raw<Problem | null>(null);
  busy = $state(false);
  /** The instructions that were shown, to be read again beside the questions about them. */
  instructions = $state.raw<string[]>([]);
  #shownSince = performance.now();
  #told = false;
  /** How often the participant did something: an answer to an older question is not shown any more. */
  #turn = 0;

  constructor(study: StudyName) {
    this.study = study;
  }

  /** Arrives by the address of the page, or comes back. */
  async open(search: URLSearchParams): Promise<void> {
    await this.#do(async () => {
      const page = await loadPage(this.study);
      if ('code' in page) return page;
      const isNew = 'arrive' in page.step;
      if (!isNew && search.size === 0) return page;
      // A participant who comes back is not asked for the names again; the server leaves out what the study does not want.
      const wanted = 'arrive' in page.step ? page.step.arrive.parameters : [...search.keys()];
      const parameters = Object.fromEntries(
        wanted.flatMap((name) => {
          const value = search.get(name);
          return value === null ? [] : [[name, value]];
        }),
      );
      const embedded = page.embedders.length > 0 && isEmbedded();
      const answer = await arrive(this.study, { parameters, language: language.locale, embedded });
      // The arrival made the person that the tables of the study know.
      if (!('code' in answer)) await session.meet();
      return answer;
    });
  }

  /** Asks the server where the participant is. A failure is shown only if there is nothing else to show. */
  async refresh(): Promise<void> {
    const turn = this.#turn;
    const answer = await loadPage(this.study);
    if (turn !== this.#turn) return;
    if ('code' in answer) {
      if (!this.page) this.problem = answer;
    } else await this.#show(answer);
  }

  consent(given: boolean, version: string): Promise<void> {
    return this.#do(() => sendConsent(this.study, { given, version }));
  }

  answer(to: StudyAnswers['to'], answers: StudyAnswers['answers'] = {}): Promise<void> {
    const took_ms = Math.round(performance.now() - this.#shownSince);
    return this.#do(() => sendAnswers(this.study, { to, answers, took_ms }));
  }

  leave(): Promise<void> {
    return this.#do(() => leaveStudy(this.study));
  }

  withdraw(): Promise<void> {
    return this.#do(() => withdraw(this.study));
  }

  async #do(request: () => Promise<StudyPage | Problem>): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.#turn += 1;
    this.problem = null;
    try {
      const answer = await request();
      if ('code' in answer) {
        this.problem = answer;
        // Another page of this participant went on: show where they are.
        if (answer.code === 'study-moved') await this.refresh();
      } else await this.#show(answer);
    } finally {
      this.busy = false;
    }
  }

  async #show(page: StudyPage): Promise<void> {
    await speak(page.language);
    const isNew = keyOf(page.step) !== (this.page && keyOf(this.page.step));
    if (isNew) this.#shownSince = performance.now();
    if ('instructions' in page.step) this.instructions = page.step.instructions.pages;
    this.page = page;
    if ('ended' in page.step && !this.#told) {
      this.#told = true;
      tellParent(page);
    }
  }
}

/** Tells steps apart: another questionnaire is another step, one person more in the waiting room is not. */
export function keyOf(step: StudyStep): string {
  const [name] = Object.keys(step);
  if ('questionnaire' in step) return `questionnaire ${step.questionnaire.id}`;
  if ('comprehension' in step) return `comprehension ${step.comprehension.tries_left}`;
  if ('waiting' in step) return `waiting ${step.waiting.between}`;
  if ('ended' in step) return `ended ${step.ended.end}`;
  return name!;
}

/** The page says its own words in the language that the study is shown in. */
async function speak(locale: string): Promise<void> {
  if (locale === language.locale || !isLocale(locale)) return;
  try {
    await language.choose(locale);
  } catch {
    // Without the server its texts cannot be loaded: the study is shown between words of the other language.
    return;
  }
  keepLocaleInTab(locale);
  document.documentElement.lang = locale;
}
