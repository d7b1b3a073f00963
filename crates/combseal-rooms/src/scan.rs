//! Finds in one file the modules it declares and the paths it names. Items for tests alone are
//! passed over: a test may look at a module from anywhere.

use super::tokens::{Token, tokens};

/// A module that stands in a file: the file's own, or one within braces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Module {
    /// The names of the modules around it within the file, and its own; empty for the file's.
    pub within: Vec<String>,
    /// The modules it declares.
    pub children: Vec<Child>,
    /// What its `use` declarations bring in.
    pub uses: Vec<Use>,
    /// The other paths named in it.
    pub paths: Vec<Vec<String>>,
}

/// A declared module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Child {
    /// Its name.
    pub name: String,
    /// Is it `pub`, to whomever? A private one can be named from within its parent alone.
    pub public: bool,
    /// Does it stand in this file, within braces?
    pub inline: bool,
    /// What a `#[path]` attribute says of its file.
    pub path: Option<String>,
}

/// One name that a `use` declaration brings in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// The path; it begins with an empty name where it is of another crate for certain (`::a::b`).
    pub path: Vec<String>,
    /// The name it has here; `None` for all that the path leads to (`*`).
    pub name: Option<String>,
}

/// The modules of a file, its own first.
pub fn scan(source: &str) -> Vec<Module> {
    let mut scan = Scan { tokens: tokens(source), at: 0, modules: vec![Module::default()] };
    scan.module(0);
    scan.modules
}

struct Scan {
    tokens: Vec<Token>,
    at: usize,
    modules: Vec<Module>,
}

impl Scan {
    fn peek(&self, ahead: usize) -> Option<&Token> {
        self.tokens.get(self.at + ahead)
    }

    fn word(&self, ahead: usize) -> Option<&str> {
        match self.peek(ahead) {
            Some(Token::Word(word)) => Some(word),
            _ => None,
        }
    }

    fn is_mark(&self, ahead: usize, mark: char) -> bool {
        self.peek(ahead).is_some_and(|token| token.is_mark(mark))
    }

    /// Reads a module up to the brace that closes it, or the file's end.
    fn module(&mut self, module: usize) {
        let (mut depth, mut path) = (0, None);
        while let Some(token) = self.peek(0) {
            match token {
                Token::Mark('#') if self.is_mark(1, '[') || self.is_mark(1, '!') && self.is_mark(2, '[') => {
                    let whole = self.is_mark(1, '!');
                    let attribute = self.attribute();
                    match &attribute[..] {
                        [Token::Word(cfg), condition @ ..] if cfg == "cfg" && for_tests(condition) => {
                            if whole {
                                self.at = self.tokens.len();
                                self.modules[module] = Module::default();
                                return;
                            }
                            self.item();
                        }
                        [Token::Word(name), Token::Mark('='), Token::Text(file)] if name == "path" => {
                            path = Some(file.clone());
                        }
                        _ => {}
                    }
                }
                // In a macro a module's name is a variable: the `$` is passed over.
                Token::Word(word) if word == "mod" && self.is_mark(1, '$') => drop(self.tokens.remove(self.at + 1)),
                Token::Word(word) if word == "mod" && self.word(1).is_some() => self.child(module, path.take()),
                Token::Word(word) if word == "use" && !self.is_mark(1, '<') => {
                    self.at += 1;
                    self.tree(module, Vec::new());
                }
                // `pub(in crate::a)` says who may look, and needs nothing of theirs.
                Token::Word(word) if word == "pub" && self.is_mark(1, '(') => {
                    self.at += 1;
                    self.group();
                }
                Token::Word(_) => self.path(module),
                Token::Mark('{') => (depth, self.at) = (depth + 1, self.at + 1),
                Token::Mark('}') if depth == 0 => {
                    self.at += 1;
                    return;
                }
                Token::Mark('}') => (depth, self.at) = (depth - 1, self.at + 1),
                _ => self.at += 1,
            }
        }
    }

    /// What stands in the brackets of an attribute.
    fn attribute(&mut self) -> Vec<Token> {
        while !self.is_mark(0, '[') {
            self.at += 1;
        }
        let from = self.at + 1;
        self.group();
        self.tokens[from..(self.at - 1).max(from)].to_vec()
    }

    /// Skips a group, from its opening bracket to behind the closing one.
    fn group(&mut self) {
        let mut depth = 0;
        while let Some(token) = self.peek(0) {
            match token {
                Token::Mark('(' | '[' | '{') => depth += 1,
                Token::Mark(')' | ']' | '}') => depth -= 1,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return;
            }
        }
    }

    /// Skips the item, statement, field or arm that an attribute is for.
    fn item(&mut self) {
        while self.is_mark(0, '#') {
            self.at += 1;
            self.group();
        }
        let items = [
            "pub",
            "mod",
            "use",
            "fn",
            "impl",
            "struct",
            "enum",
            "union",
            "trait",
            "type",
            "const",
            "static",
            "unsafe",
            "async",
            "extern",
            "macro_rules",
            "let",
        ];
        let item = self.word(0).is_some_and(|word| items.contains(&word));
        // A generic item has commas of its own; a field or an arm ends at one.
        while let Some(token) = self.peek(0) {
            match token {
                Token::Mark('{') => {
                    self.group();
                    return;
                }
                Token::Mark('(' | '[') => self.group(),
                Token::Mark(')' | ']' | '}') => return,
                Token::Mark(';') => {
                    self.at += 1;
                    return;
                }
                Token::Mark(',') if !item => return,
                _ => self.at += 1,
            }
        }
    }

    /// A declaration of a module, from `mod`.
    fn child(&mut self, module: usize, path: Option<String>) {
        let name = self.word(1).unwrap_or_default().to_string();
        let inline = self.is_mark(2, '{');
        // Before `mod`, a bracket can only close `pub(crate)` or the like.
        let before = self.at.checked_sub(1).map(|at| &self.tokens[at]);
        let public = before.is_some_and(|token| *token == Token::Word("pub".into()) || token.is_mark(')'));
        self.at += 3;
        self.modules[module].children.push(Child { name: name.clone(), public, inline, path });
        if inline {
            let within = [&self.modules[module].within[..], &[name]].concat();
            self.modules.push(Module { within, ..Module::default() });
            self.module(self.modules.len() - 1);
        }
    }

    /// What a `use` declaration brings in, from behind `prefix` and its `::`.
    fn tree(&mut self, module: usize, mut prefix: Vec<String>) {
        loop {
            match self.peek(0) {
                Some(Token::Separator) => {
                    if prefix.is_empty() {
                        prefix.push(String::new());
                    }
                    self.at += 1;
                }
                Some(Token::Word(word)) if word == "as" => {
                    let name = self.word(1).map(String::from);
                    self.at += 2;
                    self.modules[module].uses.push(Use { path: prefix, name });
                    return;
                }
                Some(Token::Word(word)) => {
                    let word = word.clone();
                    // `a::{self}` is `a`, under its own name.
                    if word != "self" || prefix.is_empty() {
                        prefix.push(word);
                    }
                    self.at += 1;
                }
                Some(Token::Mark('*')) => {
                    self.at += 1;
                    self.modules[module].uses.push(Use { path: prefix, name: None });
                    return;
                }
                Some(Token::Mark('{')) => {
                    self.at += 1;
                    while self.peek(0).is_some() && !self.is_mark(0, '}') {
                        self.tree(module, prefix.clone());
                        if self.is_mark(0, ',') {
                            self.at += 1;
                        }
                    }
                    self.at += 1;
                    return;
                }
                Some(Token::Mark('$')) => self.at += 1,
                _ => {
                    let name = prefix.last().cloned();
                    // What a macro makes of its arguments is not known here, and must be passed.
                    if !self.is_mark(0, ';') && !self.is_mark(0, ',') && !self.is_mark(0, '}') {
                        self.at += 1;
                    }
                    if name.is_some() {
                        self.modules[module].uses.push(Use { path: prefix, name });
                    }
                    return;
                }
            }
        }
    }

    /// A path in an expression or a type, if the word here begins one.
    fn path(&mut self, module: usize) {
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        let inside = before.is_some_and(|token| *token == Token::Separator || token.is_mark('.'));
        let mut path = Vec::new();
        while let Some(word) = self.word(0) {
            path.push(word.to_string());
            self.at += 1;
            if self.peek(0) != Some(&Token::Separator) {
                break;
            }
            self.at += 1;
        }
        if path.len() > 1 && !inside {
            self.modules[module].paths.push(path);
        }
    }
}

/// Does a condition hold in tests alone? `(test)`, `(all(test, unix))`, not `(any(test, unix))`.
fn for_tests(condition: &[Token]) -> bool {
    match condition {
        [Token::Word(word)] => word == "test",
        [Token::Mark('('), inner @ .., Token::Mark(')')] => for_tests(inner),
        [Token::Word(word), Token::Mark('('), inner @ .., Token::Mark(')')] => {
            let mut arguments = vec![Vec::new()];
            let mut depth = 0;
            for token in inner {
                match token {
                    Token::Mark('(') => depth += 1,
                    Token::Mark(')') => depth -= 1,
                    _ => {}
                }
                if depth == 0 && token.is_mark(',') {
                    arguments.push(Vec::new());
                } else if let Some(last) = arguments.last_mut() {
                    last.push(token.clone());
                }
            }
            arguments.retain(|argument| !argument.is_empty());
            match word.as_str() {
                "all" => arguments.iter().any(|argument| for_tests(argument)),
                "any" => !arguments.is_empty() && arguments.iter().all(|argument| for_tests(argument)),
                _ => false,
            }
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(source: &str) -> Vec<String> {
        scan(source).iter().flat_map(|module| &module.paths).map(|path| path.join("::")).collect()
    }

    fn uses(source: &str) -> Vec<String> {
        let module = scan(source).remove(0);
        let one = |u: &Use| format!("{} as {}", u.path.join("::"), u.name.as_deref().unwrap_or("*"));
        module.uses.iter().map(one).collect()
    }

    #[test]
    fn use_lists() {
        assert_eq!(
            uses("use crate::a::{B, c::{self, D as E}, f::*};"),
            ["crate::a::B as B", "crate::a::c as c", "crate::a::c::D as E", "crate::a::f as *"]
        );
        assert_eq!(
            uses("pub(in crate::x) use super::a; use ::b::C; use d;"),
            ["super::a as a", "::b::C as C", "d as d"]
        );
    }

    /// In a macro a module's name may be a variable; `super` in it is the file all the same.
    #[test]
    fn modules_of_macros() {
        let modules = scan("macro_rules! m { ($name:ident) => { mod $name { use super::a::B; } }; }");
        let within: Vec<_> = modules.iter().map(|module| module.within.join("::")).collect();
        assert_eq!(within, ["", "name"]);
        assert_eq!(modules[1].uses[0].path, ["super", "a", "B"]);
    }

    #[test]
    fn paths_in_code() {
        assert_eq!(
            paths("fn f(x: &crate::a::B) -> c::D { x.d::<E>(); super::g(); e }"),
            ["crate::a::B", "c::D", "super::g"]
        );
        assert_eq!(paths("pub(in crate::a) fn f() -> impl T + use<'_> { <u8 as crate::b::T>::M }"), ["crate::b::T"]);
        assert_eq!(paths("macro_rules! m { ($x:ident) => { $crate::a::f($x::y, ::b::c) } }"), ["crate::a::f", "x::y"]);
    }

    #[test]
    fn what_is_for_tests_is_passed_over() {
        assert_eq!(
            paths("#[cfg(test)] mod tests { use crate::a; fn f() { crate::b::c() } } fn g() { crate::d::e() }"),
            ["crate::d::e"]
        );
        assert_eq!(paths("#[cfg(all(test, unix))] #[allow(x)] fn f<A, B>() { a::b() } fn g() { c::d() }"), ["c::d"]);
        assert_eq!(paths("struct S { #[cfg(test)] a: b::C, d: e::F }"), ["e::F"]);
        assert_eq!(paths("#[cfg(any(test, unix))] fn f() { a::b() }"), ["a::b"]);
        assert_eq!(scan("#[cfg(test)] mod a; mod b;")[0].children.len(), 1);
    }

    #[test]
    fn modules_within_a_file() {
        let modules =
            scan("#[cfg(unix)] #[path = \"x.rs\"] mod a; pub mod b { fn f() { c::d() } mod e { } } pub(crate) mod g;");
        let names: Vec<&str> = modules[0].children.iter().map(|child| child.name.as_str()).collect();
        assert_eq!(names, ["a", "b", "g"]);
        assert_eq!(modules[0].children.iter().map(|child| child.public).collect::<Vec<_>>(), [false, true, true]);
        assert_eq!(modules[0].children[0].path.as_deref(), Some("x.rs"));
        assert_eq!((&modules[1].within[..], modules[1].paths.len()), (&["b".to_string()][..], 1));
        assert_eq!(modules[2].within, ["b", "e"]);
    }
}
