//! From a file that may say anything to a study that can be run.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::time::Duration;

use rules::door::GameName;
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::{Error as ValueError, StrDeserializer};
use wire::{BotKind, Language, Name, Setup, StudyAnswer, StudyEnd};

use crate::fault::Findings;
use crate::file::{
    AnswerEntry, ConditionSection, EndingEntry, EndingsSection, GameEntry, OptionEntry, OrderEntry,
    QuestionEntry, QuestionnaireSection, RightEntry, StudyFile, WhenEntry,
};
use crate::item::{Item, ItemKind};
use crate::study::{
    About, After, Comprehension, Condition, ConsentTexts, DataTerms, Ending, Endings, Game, Link,
    Order, Partner, Question, Questionnaire, Study, StudyVersion, TableTerms, WaitingRoom, When,
};
use crate::text::{Text, code};

/// How many people a participant may wait for at the longest, in seconds.
const LIMIT_S_MOST: u32 = 3_600;
/// How many conditions, games of a condition, pages, questionnaires and questions there may be.
const ENTRIES_MOST: usize = 60;

/// Checks a file. Everything that is wrong is found at once; the study is `None` if its name or a
/// game cannot be read.
pub(crate) fn check(
    file: StudyFile,
    version: StudyVersion,
    findings: &mut Findings<'_>,
) -> Option<Study> {
    let languages = languages(&file, findings);
    let mut checker = Checker { languages: languages.clone(), findings };
    let name = file.study.name.parse();
    let name = name.map_err(|e| checker.wrong("study.name", e)).ok();
    let title = checker.text("study.title", file.study.title);
    let consent = ConsentTexts {
        information: checker.text("consent.information", file.consent.information),
        text: checker.text("consent.text", file.consent.text),
        statements: checker.options("consent.statements", file.consent.statements, 0),
        version: checker.word("consent.version", file.consent.version),
    };
    let pages = file.instructions.pages.into_iter().enumerate();
    let pages =
        pages.map(|(index, page)| checker.text(format!("instructions.pages[{index}]"), page));
    let instructions = pages.collect::<Vec<_>>();
    let comprehension = checker.comprehension(file.instructions.tries, file.instructions.questions);
    if !(1..=LIMIT_S_MOST).contains(&file.waiting.limit_s) {
        checker.wrong("waiting.limit_s", format!("write 1 to {LIMIT_S_MOST} seconds"));
    }
    let waiting = WaitingRoom {
        limit: Duration::from_secs(u64::from(file.waiting.limit_s)),
        text: checker.text_if_any("waiting.text", file.waiting.text),
    };
    let conditions = checker.conditions(file.conditions);
    let names = checker.names(file.table.names, &conditions);
    if !(10..=LIMIT_S_MOST).contains(&file.table.away_s) {
        checker.wrong("table.away_s", format!("write 10 to {LIMIT_S_MOST} seconds"));
    }
    let table = TableTerms {
        chat: file.table.chat,
        signs: file.table.signs,
        names,
        away: Duration::from_secs(u64::from(file.table.away_s)),
    };
    let questionnaires = checker.questionnaires(file.questionnaires);
    let link = checker.link(file.link);
    if !(1..=3_650).contains(&file.data.retention_days) {
        checker.wrong("data.retention_days", "write 1 to 3650 days");
    }
    let data = DataTerms { retention_days: file.data.retention_days, notes: file.data.notes };
    let endings = checker.endings(file.endings);
    let about = About { name: name?, title, languages, version };
    Some(Study {
        about,
        consent,
        link,
        instructions,
        comprehension,
        waiting,
        table,
        conditions,
        questionnaires,
        after: After { endings, data },
    })
}

fn languages(file: &StudyFile, findings: &mut Findings<'_>) -> Vec<Language> {
    let languages = &file.study.languages;
    let distinct = languages.iter().map(|it| code(*it)).collect::<BTreeSet<_>>();
    if languages.is_empty() || distinct.len() < languages.len() {
        findings.wrong("study.languages", "name each language once, as in [\"en\", \"de\"]");
    }
    languages.clone()
}

/// Reads the parts of a file and notes what is wrong with them.
struct Checker<'a, 'f> {
    languages: Vec<Language>,
    findings: &'a mut Findings<'f>,
}

impl Checker<'_, '_> {
    fn wrong(&mut self, field: impl Display, says: impl Display) {
        self.findings.wrong(field, says);
    }

    /// A text that has to be there in every language.
    fn text(&mut self, field: impl Display, text: Text) -> Text {
        for language in self.languages.clone() {
            let missing = text.find(language).is_none_or(|it| it.trim().is_empty());
            if missing {
                let code = code(language);
                self.wrong(&field, format!("the text is missing in {code}, write {field}.{code}"));
            }
        }
        for language in text.languages() {
            if !self.languages.contains(&language) {
                let code = code(language);
                let says =
                    format!("{code} is not among study.languages, add it there or leave it out");
                self.wrong(format!("{field}.{code}"), says);
            }
        }
        text
    }

    /// A text that may be left out, but not in some of the languages.
    fn text_if_any(&mut self, field: impl Display, text: Text) -> Text {
        if text.languages().next().is_none() { text } else { self.text(field, text) }
    }

    /// A word that stands in the data.
    fn word(&mut self, field: impl Display, word: String) -> String {
        let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if !(1..=40).contains(&word.len()) || !word.chars().all(allowed) {
            self.wrong(field, "write 1 to 40 letters, digits, hyphens, underscores and dots");
        }
        word
    }

    fn distinct(&mut self, field: impl Display, words: &[&str]) {
        let mut seen = BTreeSet::new();
        for word in words {
            if !seen.insert(*word) {
                self.wrong(&field, format!("{word} is there twice, rename one"));
            }
        }
    }

    fn at_most(&mut self, field: impl Display, found: usize) {
        if found > ENTRIES_MOST {
            self.wrong(field, format!("write at most {ENTRIES_MOST} of them"));
        }
    }

    fn options(
        &mut self,
        field: impl Display,
        options: Vec<OptionEntry>,
        least: usize,
    ) -> Vec<(String, Text)> {
        if options.len() < least {
            self.wrong(&field, format!("write at least {least} options"));
        }
        self.at_most(&field, options.len());
        let mut checked = Vec::new();
        for (index, OptionEntry { id, text }) in options.into_iter().enumerate() {
            let id = self.word(format!("{field}[{index}].id"), id);
            let text = self.text(format!("{field}[{index}].text"), text);
            checked.push((id, text));
        }
        self.distinct(&field, &checked.iter().map(|(id, _)| id.as_str()).collect::<Vec<_>>());
        checked
    }

    fn comprehension(
        &mut self,
        tries: Option<u8>,
        questions: Vec<QuestionEntry>,
    ) -> Option<Comprehension> {
        if questions.is_empty() {
            if tries.is_some() {
                self.wrong("instructions.tries", "there are no questions, leave it out");
            }
            return None;
        }
        let tries = tries.unwrap_or(2);
        if !(1..=20).contains(&tries) {
            self.wrong("instructions.tries", "write 1 to 20 tries");
        }
        self.at_most("instructions.questions", questions.len());
        let mut checked = Vec::new();
        for (index, entry) in questions.into_iter().enumerate() {
            let field = format!("instructions.questions[{index}]");
            let QuestionEntry { id, text, answer, right } = entry;
            let item = self.item(&field, id, text, true, answer);
            let right = match right {
                RightEntry::Choice(id) => StudyAnswer::Choice(id),
                RightEntry::Choices(mut ids) => {
                    ids.sort();
                    StudyAnswer::Choices(ids)
                }
                RightEntry::Number(number) => StudyAnswer::Number(number),
            };
            if let Err(error) = item.fits(&right) {
                self.wrong(format!("{field}.right"), format!("no answer can be right: {error}"));
            }
            checked.push(Question { item, right });
        }
        let ids = checked.iter().map(|it| it.item.id.as_str()).collect::<Vec<_>>();
        self.distinct("instructions.questions", &ids);
        Some(Comprehension { tries, questions: checked })
    }

    fn item(
        &mut self,
        field: &str,
        id: String,
        text: Text,
        required: bool,
        answer: AnswerEntry,
    ) -> Item {
        let id = self.word(format!("{field}.id"), id);
        let text = self.text(format!("{field}.text"), text);
        let at = format!("{field}.answer");
        let kind = match answer {
            AnswerEntry::Note {} => ItemKind::Note,
            AnswerEntry::Text { lines, chars_most } => {
                if !(1..=20).contains(&lines) || !(1..=5_000).contains(&chars_most) {
                    self.wrong(&at, "a text has 1 to 20 lines and 1 to 5000 characters");
                }
                ItemKind::Text { lines, chars_most }
            }
            AnswerEntry::Number { least, most, whole } => {
                self.between(&at, least, most);
                ItemKind::Number { least, most, whole }
            }
            AnswerEntry::Choice { options } => {
                ItemKind::Choice(self.options(format!("{at}.choice.options"), options, 2))
            }
            AnswerEntry::Choices { options, least, most } => {
                let options = self.options(format!("{at}.choices.options"), options, 2);
                let most = most.unwrap_or(options.len() as u8);
                if least > most || usize::from(most) > options.len() {
                    self.wrong(&at, "least and most do not fit the number of options");
                }
                ItemKind::Choices { options, least, most }
            }
            AnswerEntry::Likert { points, low, high } => {
                if !(2..=11).contains(&points) {
                    self.wrong(&at, "a scale has 2 to 11 points");
                }
                let low = self.text(format!("{at}.likert.low"), low);
                ItemKind::Likert { points, low, high: self.text(format!("{at}.likert.high"), high) }
            }
            AnswerEntry::Slider { least, most, step, low, high } => {
                self.between(&at, least, most);
                if !(step > 0.0 && step <= most - least) {
                    self.wrong(&at, "the step is more than 0 and fits between least and most");
                }
                let low = self.text(format!("{at}.slider.low"), low);
                let high = self.text(format!("{at}.slider.high"), high);
                ItemKind::Slider { least, most, step, low, high }
            }
        };
        Item { id, text, required, kind }
    }

    fn between(&mut self, field: &str, least: f64, most: f64) {
        if !(least.is_finite() && most.is_finite() && least < most) {
            self.wrong(field, "least is a number below most");
        }
    }

    fn conditions(&mut self, conditions: Vec<ConditionSection>) -> Vec<Condition> {
        if conditions.is_empty() {
            self.wrong("conditions", "write at least one condition: [[conditions]]");
        }
        self.at_most("conditions", conditions.len());
        let mut checked = Vec::new();
        for (index, entry) in conditions.into_iter().enumerate() {
            let field = format!("conditions[{index}]");
            let ConditionSection { name, partners, order, games } = entry;
            let name = self.word(format!("{field}.name"), name);
            let partners = partners.iter().enumerate().filter_map(|(index, text)| {
                partner(text).map_err(|e| self.wrong(format!("{field}.partners[{index}]"), e)).ok()
            });
            let partners = partners.collect::<Vec<_>>();
            if games.is_empty() {
                self.wrong(format!("{field}.games"), "write at least one game");
            }
            self.at_most(format!("{field}.games"), games.len());
            let players = partners.len() as u8 + 1;
            let games = games.into_iter().enumerate().filter_map(|(index, game)| {
                self.game(&format!("{field}.games[{index}]"), game, players, &partners, &name)
            });
            let games = games.collect();
            let order = match order {
                OrderEntry::AsWritten => Order::AsWritten,
                OrderEntry::Shuffled => Order::Shuffled,
                OrderEntry::Rotated => Order::Rotated,
            };
            checked.push(Condition { name, partners, order, games });
        }
        let names = checked.iter().map(|it| it.name.as_str()).collect::<Vec<_>>();
        self.distinct("conditions", &names);
        checked
    }

    fn game(
        &mut self,
        field: &str,
        entry: GameEntry,
        players: u8,
        partners: &[Partner],
        condition: &str,
    ) -> Option<Game> {
        let GameEntry { game, setup, deals } = entry;
        let name = match game.parse::<GameName>() {
            Ok(name) => name,
            Err(error) => {
                self.wrong(format!("{field}.game"), error);
                return None;
            }
        };
        let deals = if deals.is_empty() { condition.to_owned() } else { deals };
        let deals = self.word(format!("{field}.deals"), deals);
        for partner in partners {
            if let Partner::Bot(kind) = partner
                && !BotKind::of(name).contains(kind)
            {
                let plays = BotKind::of(name).iter().map(|kind| bot_name(*kind));
                let plays = plays.collect::<Vec<_>>().join(", ");
                let says = format!("{} does not play {name}, take {plays}", bot_name(*kind));
                self.wrong(field, says);
            }
        }
        let written = format!("players={players} {setup}");
        match Setup::read(name, &written) {
            Ok(setup) => Some(Game { setup, deals }),
            Err(error) => {
                self.wrong(
                    format!("{field}.setup"),
                    format!("{error}; the number of players is that of the partners and one more"),
                );
                None
            }
        }
    }

    fn names(&mut self, names: Vec<String>, conditions: &[Condition]) -> Vec<Name> {
        let most = conditions.iter().map(|it| it.partners.len() + 1).max().unwrap_or(1);
        let given = if names.is_empty() {
            ('A'..='F').map(String::from).take(most).collect()
        } else {
            names
        };
        if given.len() < most {
            self.wrong("table.names", format!("write {most} names, one for each seat"));
        }
        let checked = given.iter().enumerate().filter_map(|(index, name)| {
            let name = Name::chosen(name);
            name.map_err(|e| self.wrong(format!("table.names[{index}]"), e)).ok()
        });
        checked.collect()
    }

    fn questionnaires(&mut self, forms: Vec<QuestionnaireSection>) -> Vec<Questionnaire> {
        self.at_most("questionnaires", forms.len());
        let mut checked = Vec::new();
        for (index, entry) in forms.into_iter().enumerate() {
            let field = format!("questionnaires[{index}]");
            let QuestionnaireSection { id, when, title, text, items } = entry;
            let id = self.word(format!("{field}.id"), id);
            let when = match when {
                WhenEntry::Before => When::Before,
                WhenEntry::Between => When::Between,
                WhenEntry::After => When::After,
            };
            let title = self.text(format!("{field}.title"), title);
            let text = self.text_if_any(format!("{field}.text"), text);
            self.at_most(format!("{field}.items"), items.len());
            let items = items.into_iter().enumerate().map(|(index, entry)| {
                let field = format!("{field}.items[{index}]");
                self.item(&field, entry.id, entry.text, entry.required, entry.answer)
            });
            let items = items.collect::<Vec<_>>();
            let ids = items.iter().map(|it| it.id.as_str()).collect::<Vec<_>>();
            self.distinct(format!("{field}.items"), &ids);
            checked.push(Questionnaire { id, when, title, text, items });
        }
        let ids = checked.iter().map(|it| it.id.as_str()).collect::<Vec<_>>();
        self.distinct("questionnaires", &ids);
        checked
    }

    fn link(&mut self, link: crate::file::LinkSection) -> Link {
        for (field, parameter) in [
            ("link.participant", &link.participant),
            ("link.study", &link.study),
            ("link.session", &link.session),
        ] {
            self.word(field, parameter.clone());
        }
        for (index, origin) in link.embedders.iter().enumerate() {
            if !is_origin(origin) {
                let says = "write an origin without a path, as in https://lab.example.org";
                self.wrong(format!("link.embedders[{index}]"), says);
            }
        }
        Link {
            participant: link.participant,
            study: link.study,
            session: link.session,
            required: link.required,
            store: link.store,
            once_per_browser: link.once_per_browser,
            embedders: link.embedders,
        }
    }

    fn endings(&mut self, endings: EndingsSection) -> Endings {
        let partner_left = endings.partner_left.unwrap_or_else(|| endings.completed.clone());
        let all = [
            (StudyEnd::Completed, "completed", endings.completed),
            (StudyEnd::PartnerLeft, "partner-left", partner_left),
            (StudyEnd::Refused, "refused", endings.refused),
            (StudyEnd::NotUnderstood, "not-understood", endings.not_understood),
            (StudyEnd::NoPartner, "no-partner", endings.no_partner),
            (StudyEnd::DroppedOut, "dropped-out", endings.dropped_out),
            (StudyEnd::SecondTry, "second-try", endings.second_try),
            (StudyEnd::Withdrawn, "withdrawn", endings.withdrawn),
            (StudyEnd::Closed, "closed", endings.closed),
        ];
        let checked = all.map(|(end, name, EndingEntry { text, address, code, pay })| {
            let field = format!("endings.{name}");
            if let Some(address) = &address
                && !(address.starts_with("https://") || address.starts_with("http://"))
            {
                self.wrong(format!("{field}.address"), "write an address with https://");
            }
            let text = self.text_if_any(format!("{field}.text"), text);
            (end, Ending { text, address, code, pay })
        });
        Endings(checked.into())
    }
}

/// Whether a text is an origin that a content policy may name.
fn is_origin(text: &str) -> bool {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':');
    host.is_some_and(|host| !host.is_empty() && host.chars().all(allowed))
}

fn partner(text: &str) -> Result<Partner, String> {
    if text == "person" {
        return Ok(Partner::Person);
    }
    let read: StrDeserializer<'_, ValueError> = text.into_deserializer();
    BotKind::deserialize(read)
        .map(Partner::Bot)
        .map_err(|_| format!("{text:?} is neither \"person\" nor a bot, as in \"kindred\""))
}

/// The name of a bot, as files and data have it.
pub(crate) fn bot_name(kind: BotKind) -> &'static str {
    match kind {
        BotKind::Random => "random",
        BotKind::Steady => "steady",
        BotKind::Hasty => "hasty",
        BotKind::Dreamy => "dreamy",
        BotKind::Kindred => "kindred",
        BotKind::Novice => "novice",
        BotKind::Student => "student",
        BotKind::Master => "master",
        BotKind::Cunning => "cunning",
    }
}
