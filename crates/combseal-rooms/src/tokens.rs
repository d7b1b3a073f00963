//! Splits Rust source into the few kinds of tokens that paths are made of. Comments and the
//! insides of strings are dropped here, so that nothing written in them counts as a name.

/// A piece of source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// An identifier or a keyword; a raw identifier without its `r#`.
    Word(String),
    /// A string literal, by what stands between its quotes.
    Text(String),
    /// `::`
    Separator,
    /// Any other character that is not white space.
    Mark(char),
}

impl Token {
    /// Is it this character?
    pub fn is_mark(&self, mark: char) -> bool {
        *self == Token::Mark(mark)
    }
}

/// The tokens of a source file. Numbers, characters and lifetimes are left out: no path has any.
pub fn tokens(source: &str) -> Vec<Token> {
    let mut rest = Rest { chars: source.chars().collect(), at: 0 };
    let mut tokens = Vec::new();
    while let Some(c) = rest.peek(0) {
        match c {
            '/' if rest.peek(1) == Some('/') => rest.line(),
            '/' if rest.peek(1) == Some('*') => rest.block(),
            '"' => tokens.push(Token::Text(rest.string())),
            '\'' => rest.quote(),
            ':' if rest.peek(1) == Some(':') => {
                rest.at += 2;
                tokens.push(Token::Separator);
            }
            c if c.is_ascii_digit() => drop(rest.word()),
            c if c == '_' || c.is_alphanumeric() => {
                let word = rest.word();
                tokens.push(match (word.as_str(), rest.peek(0)) {
                    ("b" | "c", Some('"')) => Token::Text(rest.string()),
                    ("r" | "br" | "cr", Some('"')) => Token::Text(rest.raw_string()),
                    ("r" | "br" | "cr", Some('#')) if rest.begins_raw_string() => Token::Text(rest.raw_string()),
                    ("r", Some('#')) => {
                        rest.at += 1;
                        Token::Word(rest.word())
                    }
                    _ => Token::Word(word),
                });
            }
            c => {
                rest.at += 1;
                if !c.is_whitespace() {
                    tokens.push(Token::Mark(c));
                }
            }
        }
    }
    tokens
}

/// What of the source has not been read yet.
struct Rest {
    chars: Vec<char>,
    at: usize,
}

impl Rest {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek(0);
        self.at += 1;
        c
    }

    /// Skips to the end of a line.
    fn line(&mut self) {
        while self.next().is_some_and(|c| c != '\n') {}
    }

    /// Skips a block comment. In Rust they can contain each other.
    fn block(&mut self) {
        let mut depth = 0;
        while let Some(c) = self.next() {
            match (c, self.peek(0)) {
                ('/', Some('*')) => (depth, self.at) = (depth + 1, self.at + 1),
                ('*', Some('/')) => (depth, self.at) = (depth - 1, self.at + 1),
                _ => {}
            }
            if depth == 0 {
                return;
            }
        }
    }

    fn word(&mut self) -> String {
        let from = self.at;
        while self.peek(0).is_some_and(|c| c == '_' || c.is_alphanumeric()) {
            self.at += 1;
        }
        self.chars[from..self.at].iter().collect()
    }

    /// A string from its opening quote.
    fn string(&mut self) -> String {
        self.at += 1;
        let mut text = String::new();
        while let Some(c) = self.next() {
            match c {
                '"' => break,
                '\\' => drop(self.next()),
                c => text.push(c),
            }
        }
        text
    }

    /// Behind an `r`: is it a string that begins, rather than a raw identifier?
    fn begins_raw_string(&self) -> bool {
        self.chars[self.at..].iter().find(|c| **c != '#') == Some(&'"')
    }

    /// A raw string from the first `#` or the quote: it ends at a quote with as many `#`.
    fn raw_string(&mut self) -> String {
        let from = self.at;
        while self.peek(0) == Some('#') {
            self.at += 1;
        }
        let hashes = self.at - from;
        self.at += 1;
        let mut text = String::new();
        while let Some(c) = self.next() {
            if c == '"' && (0..hashes).all(|ahead| self.peek(ahead) == Some('#')) {
                self.at += hashes;
                break;
            }
            text.push(c);
        }
        text
    }

    /// Skips what begins with a single quote: a character, or a lifetime.
    fn quote(&mut self) {
        self.at += 1;
        if self.peek(0) == Some('\\') {
            self.at += 2;
            while self.next().is_some_and(|c| c != '\'') {}
        } else if self.peek(1) == Some('\'') {
            self.at += 2;
        } else {
            drop(self.word());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(source: &str) -> Vec<String> {
        let word = |token| match token {
            Token::Word(word) => Some(word),
            _ => None,
        };
        tokens(source).into_iter().filter_map(word).collect()
    }

    #[test]
    fn comments_strings_and_characters_hold_no_names() {
        assert_eq!(words("a // b\n/* c /* d */ e */ f /// g"), ["a", "f"]);
        assert_eq!(words(r####"a "b \" c" d b"e" f r#"g " h"# i"####), ["a", "d", "f", "i"]);
        assert_eq!(words(r"a 'b' c '\'' d '\u{1f600}' e b'f' g"), ["a", "c", "d", "e", "b", "g"]);
    }

    #[test]
    fn lifetimes_numbers_and_raw_identifiers() {
        assert_eq!(words("fn f<'a>(x: &'a r#type) -> [u8; 0x1f] { 1..2e3 }"), ["fn", "f", "x", "type", "u8"]);
    }

    #[test]
    fn separators_are_one_token() {
        let word = |w: &str| Token::Word(w.into());
        assert_eq!(tokens("a::b: c"), [word("a"), Token::Separator, word("b"), Token::Mark(':'), word("c")]);
        assert_eq!(tokens(r#"#[path = "x.rs"]"#)[4], Token::Text("x.rs".into()));
    }
}
