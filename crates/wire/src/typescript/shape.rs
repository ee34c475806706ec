//! The little of TypeScript's types that our messages need: read, and written so that people can
//! read it too.

use std::fmt;
use std::str::FromStr;

/// A named type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// What it is called.
    pub name: String,
    /// The names that stand for other types in it.
    pub parameters: Vec<String>,
    /// What it is.
    pub shape: Shape,
}

/// What a value looks like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `"open"`: this text and no other.
    Literal(String),
    /// `Seat`, `number`, `Array<Card>`: a type that is described elsewhere.
    Named(String, Vec<Shape>),
    /// `[number, number]`: so many, each with its own shape.
    Tuple(Vec<Shape>),
    /// `{ seat: Seat, card: Card }`
    Object(Vec<Field>),
    /// `A | B`: one of these.
    Union(Vec<Shape>),
    /// `A & B`: all of these at once.
    Both(Vec<Shape>),
}

/// A key of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// What is said about it.
    pub docs: Vec<String>,
    /// The key.
    pub key: String,
    /// Whether it may be left out.
    pub optional: bool,
    /// What belongs to it.
    pub shape: Shape,
}

/// Lines that are longer are broken.
const WIDTH: usize = 100;

impl fmt::Display for Declaration {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "type {}", self.name)?;
        if !self.parameters.is_empty() {
            write!(f, "<{}>", self.parameters.join(", "))?;
        }
        match &self.shape {
            Shape::Union(shapes) if !fits(&self.shape, self.name.len() + 20) => {
                f.write_str(" =")?;
                for shape in shapes {
                    f.write_str("\n  | ")?;
                    shape.write(f, 4)?;
                }
            }
            shape => {
                f.write_str(" = ")?;
                shape.write(f, 0)?;
            }
        }
        f.write_str(";")
    }
}

impl fmt::Display for Shape {
    /// On one line, without what is said about the fields.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let list = |shapes: &[Self], between: &str| {
            shapes.iter().map(Self::to_string).collect::<Vec<_>>().join(between)
        };
        match self {
            Self::Literal(text) => write!(f, "\"{text}\""),
            Self::Named(name, parameters) if parameters.is_empty() => f.write_str(name),
            Self::Named(name, parameters) => write!(f, "{name}<{}>", list(parameters, ", ")),
            Self::Tuple(shapes) => write!(f, "[{}]", list(shapes, ", ")),
            Self::Object(fields) => {
                let field = |field: &Field| format!("{}: {}", Key(field), field.shape);
                write!(f, "{{ {} }}", fields.iter().map(field).collect::<Vec<_>>().join("; "))
            }
            Self::Union(shapes) => f.write_str(&list(shapes, " | ")),
            Self::Both(shapes) => f.write_str(&list(shapes, " & ")),
        }
    }
}

impl Shape {
    fn write(&self, f: &mut fmt::Formatter, indent: usize) -> fmt::Result {
        match self {
            Self::Object(fields) if !fits(self, indent) => {
                let inside = " ".repeat(indent + 2);
                f.write_str("{\n")?;
                for field in fields {
                    match field.docs.as_slice() {
                        [] => {}
                        [line] => writeln!(f, "{inside}/** {line} */")?,
                        lines => {
                            writeln!(f, "{inside}/**")?;
                            for line in lines {
                                writeln!(f, "{inside} * {line}")?;
                            }
                            writeln!(f, "{inside} */")?;
                        }
                    }
                    write!(f, "{inside}{}: ", Key(field))?;
                    field.shape.write(f, indent + 2)?;
                    f.write_str(";\n")?;
                }
                write!(f, "{}}}", " ".repeat(indent))
            }
            Self::Both(shapes) => {
                for (place, shape) in shapes.iter().enumerate() {
                    f.write_str(if place == 0 { "" } else { " & " })?;
                    shape.write(f, indent)?;
                }
                Ok(())
            }
            shape => write!(f, "{shape}"),
        }
    }

    fn has_docs(&self) -> bool {
        match self {
            Self::Literal(_) => false,
            Self::Named(_, shapes)
            | Self::Tuple(shapes)
            | Self::Union(shapes)
            | Self::Both(shapes) => shapes.iter().any(Self::has_docs),
            Self::Object(fields) => {
                fields.iter().any(|field| !field.docs.is_empty() || field.shape.has_docs())
            }
        }
    }
}

fn fits(shape: &Shape, indent: usize) -> bool {
    !shape.has_docs() && indent + shape.to_string().len() <= WIDTH
}

/// A key is quoted only where TypeScript needs it, and `?` says that it may be left out.
struct Key<'a>(&'a Field);

impl fmt::Display for Key<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Field { key, optional, .. } = self.0;
        if key.chars().all(is_word) { f.write_str(key) } else { write!(f, "\"{key}\"") }?;
        f.write_str(if *optional { "?" } else { "" })
    }
}

fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

/// What is returned for a text that is none of the types that we write.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected} before {rest:?}")]
pub struct Misread {
    expected: &'static str,
    rest: String,
}

impl FromStr for Declaration {
    type Err = Misread;

    /// Reads `type Name<T> = shape;`.
    fn from_str(text: &str) -> Result<Self, Misread> {
        let mut reader = Reader(text);
        reader.expect("type ", "a declaration")?;
        let name = reader.word()?;
        let mut parameters = Vec::new();
        if reader.take("<") {
            parameters = reader.list(">", Reader::word)?;
        }
        reader.expect("=", "an equals sign")?;
        let shape = reader.shape()?;
        reader.expect(";", "the end")?;
        Ok(Self { name, parameters, shape })
    }
}

struct Reader<'a>(&'a str);

impl Reader<'_> {
    fn shape(&mut self) -> Result<Shape, Misread> {
        // A broken union begins with a bar.
        self.take("|");
        let mut one_of = vec![];
        loop {
            let mut all_of = vec![self.simple()?];
            while self.take("&") {
                all_of.push(self.simple()?);
            }
            one_of.push(single_or(all_of, Shape::Both));
            if !self.take("|") {
                return Ok(single_or(one_of, Shape::Union));
            }
        }
    }

    fn simple(&mut self) -> Result<Shape, Misread> {
        if self.take("{") {
            Ok(Shape::Object(self.list("}", Self::field)?))
        } else if self.take("[") {
            Ok(Shape::Tuple(self.list("]", Self::shape)?))
        } else if self.take("(") {
            let shape = self.shape()?;
            self.expect(")", "a closing parenthesis")?;
            Ok(shape)
        } else if self.take("\"") {
            Ok(Shape::Literal(self.quoted()?))
        } else {
            let name = self.word()?;
            let inner = if self.take("<") { self.list(">", Self::shape)? } else { vec![] };
            Ok(Shape::Named(name, inner))
        }
    }

    fn field(&mut self) -> Result<Field, Misread> {
        let mut docs = vec![];
        while self.take("/**") {
            let (said, rest) = self.0.split_once("*/").ok_or_else(|| self.misread("*/"))?;
            let lines = said.lines().map(|line| line.trim().trim_start_matches('*').trim());
            docs.extend(lines.filter(|line| !line.is_empty()).map(String::from));
            self.0 = rest;
        }
        let key = if self.take("\"") { self.quoted()? } else { self.word()? };
        let optional = self.take("?");
        self.expect(":", "a colon")?;
        Ok(Field { docs, key, optional, shape: self.shape()? })
    }

    fn list<T>(
        &mut self,
        end: &str,
        mut item: impl FnMut(&mut Self) -> Result<T, Misread>,
    ) -> Result<Vec<T>, Misread> {
        let mut items = vec![];
        while !self.take(end) {
            items.push(item(self)?);
            if !self.take(",") && !self.take(";") {
                self.expect(end, "the end of a list")?;
                break;
            }
        }
        Ok(items)
    }

    fn quoted(&mut self) -> Result<String, Misread> {
        let (text, rest) = self.0.split_once('"').ok_or_else(|| self.misread("a quote"))?;
        self.0 = rest;
        Ok(text.into())
    }

    fn word(&mut self) -> Result<String, Misread> {
        let text = self.0.trim_start();
        let end = text.find(|letter| !is_word(letter)).unwrap_or(text.len());
        if end == 0 {
            return Err(self.misread("a name"));
        }
        let (word, rest) = text.split_at(end);
        self.0 = rest;
        Ok(word.into())
    }

    fn take(&mut self, sign: &str) -> bool {
        let rest = self.0.trim_start().strip_prefix(sign);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    fn expect(&mut self, sign: &str, expected: &'static str) -> Result<(), Misread> {
        if self.take(sign) { Ok(()) } else { Err(self.misread(expected)) }
    }

    fn misread(&self, expected: &'static str) -> Misread {
        Misread { expected, rest: self.0.chars().take(40).collect() }
    }
}

/// A list of one is that one.
fn single_or(mut shapes: Vec<Shape>, many: impl FnOnce(Vec<Shape>) -> Shape) -> Shape {
    if shapes.len() == 1 { shapes.remove(0) } else { many(shapes) }
}
