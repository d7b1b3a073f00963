//! A search for more LFSRs like those of the 2011 paper's appendix. It draws random sums of a few
//! shifted or masked words and keeps those that run through all 2^128 - 1 nonzero blocks.

use super::lfsr::{self, block2, block4, words2, words4};
use crate::measure::Random;

/// Shapes with two words of 64 bits and with four of 32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Words {
    /// XY ↦ Y f(X, Y).
    Two,
    /// ABCD ↦ three of them in some order, and f(A, B, C, D).
    Four,
}

/// One summand of the new word; `word` 0 is the leftmost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Term {
    Plain { word: usize },
    Left { word: usize, by: u32 },
    Right { word: usize, by: u32 },
    Mask { word: usize, with: u64 },
    Msb { word: usize, times: u64 },
}

/// An LFSR made of words: which words stay, in their new order, and the sum that comes last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    words: Words,
    kept: [usize; 3],
    terms: Vec<Term>,
}

impl Candidate {
    /// A candidate with two to four terms, by chance. The first word, which leaves, is in it.
    pub fn random(words: Words, random: &mut Random) -> Self {
        let count = if words == Words::Two { 2 } else { 4 };
        let bits = 128 / count;
        // The paper's order C D B, or another of the six.
        let mut kept = [1, 2, 3];
        if words == Words::Four {
            random.shuffle(&mut kept);
        }
        let mut terms = vec![
            Term::Left { word: 0, by: 1 + random.below(3) as u32 },
            if random.below(2) == 0 {
                Term::Right { word: 0, by: 1 + random.below(3) as u32 }
            } else {
                Term::Msb { word: 0, times: 1 | random.below(1 << 12) as u64 }
            },
        ];
        for _ in 0..1 + random.below(2) {
            let word = 1 + random.below(count - 1);
            let by = 1 + random.below(bits - 1) as u32;
            terms.push(match random.below(4) {
                0 => Term::Plain { word },
                1 => Term::Left { word, by },
                2 => Term::Right { word, by },
                _ => Term::Mask { word, with: 1 + random.below(255) as u64 },
            });
        }
        Candidate { words, kept, terms }
    }

    /// Steps a block.
    pub fn step(&self, block: u128) -> u128 {
        match self.words {
            Words::Two => {
                let old = words2(block);
                block2([old[1], self.sum(&old.map(u64::from), 64)])
            }
            Words::Four => {
                let old = words4(block);
                let [p, q, r] = self.kept;
                block4([old[p], old[q], old[r], self.sum(&old.map(u64::from), 32) as u32])
            }
        }
    }

    fn sum(&self, old: &[u64], bits: u32) -> u64 {
        self.terms.iter().fold(0, |sum, term| {
            sum ^ match *term {
                Term::Plain { word } => old[word],
                // Beyond 32 bits a shift's overflow is cut off with the word.
                Term::Left { word, by } => old[word] << by,
                Term::Right { word, by } => old[word] >> by,
                Term::Mask { word, with } => old[word] & with,
                Term::Msb { word, times } => (old[word] >> (bits - 1)) * times,
            }
        })
    }

    /// Operations of the new word: a shift or a mask is one, a product with the top bit two
    /// (an arithmetic shift and a mask), and so is each XOR between terms one.
    pub fn operations(&self) -> usize {
        let of = |term: &Term| match term {
            Term::Plain { .. } => 0,
            Term::Msb { .. } => 2,
            _ => 1,
        };
        self.terms.iter().map(of).sum::<usize>() + self.terms.len() - 1
    }

    /// The map in the paper's notation.
    pub fn formula(&self) -> String {
        let names: &[&str] = if self.words == Words::Two { &["X", "Y"] } else { &["A", "B", "C", "D"] };
        let kept = match self.words {
            Words::Two => "Y".into(),
            Words::Four => self.kept.map(|w| names[w]).join(" "),
        };
        let terms = self.terms.iter().map(|term| match *term {
            Term::Plain { word } => names[word].to_string(),
            Term::Left { word, by } => format!("({} << {by})", names[word]),
            Term::Right { word, by } => format!("({} >> {by})", names[word]),
            Term::Mask { word, with } => format!("({} & {with})", names[word]),
            Term::Msb { word, times } => format!("msb({})·{times}", names[word]),
        });
        format!("{} -> {kept} ({})", names.concat(), terms.collect::<Vec<_>>().join(" + "))
    }
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Found {
    /// Candidates tried.
    pub tried: usize,
    /// The maximal ones, those of the fewest operations first, without repeats.
    pub maximal: Vec<Candidate>,
}

/// Tries `candidates` of both shapes in turn, drawn from `seed`: some thousands a second.
pub fn search(candidates: usize, seed: u64) -> Found {
    let mut random = Random::new(seed);
    let mut maximal: Vec<Candidate> = Vec::new();
    for i in 0..candidates {
        let words = if i % 2 == 0 { Words::Two } else { Words::Four };
        let candidate = Candidate::random(words, &mut random);
        if lfsr::analyze(|block| candidate.step(block)).maximal && !maximal.contains(&candidate) {
            maximal.push(candidate);
        }
    }
    maximal.sort_by_key(|c| (c.operations(), c.formula()));
    Found { tried: candidates, maximal }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fifth() -> Candidate {
        Candidate {
            words: Words::Four,
            kept: [2, 3, 1],
            terms: vec![Term::Left { word: 0, by: 1 }, Term::Right { word: 0, by: 1 }, Term::Left { word: 3, by: 15 }],
        }
    }

    #[test]
    fn a_candidate_is_the_papers_fifth() {
        let ours = fifth();
        assert_eq!(ours.formula(), "ABCD -> C D B ((A << 1) + (A >> 1) + (D << 15))");
        assert_eq!(ours.operations(), 5);
        let block = 0x8123_4567_89ab_cdef_8899_aabb_ccdd_eeff;
        assert_eq!(ours.step(block), (lfsr::LFSRS[5].step)(block));
    }

    #[test]
    fn candidates_are_linear() {
        let mut random = Random::new(7);
        for words in [Words::Two, Words::Four] {
            for _ in 0..50 {
                let c = Candidate::random(words, &mut random);
                let (a, b) = (0x0f1e_2d3c_4b5a_6978_8796_a5b4_c3d2_e1f0, u128::MAX / 5);
                assert_eq!(c.step(a) ^ c.step(b), c.step(a ^ b), "{}", c.formula());
            }
        }
    }

    #[test]
    fn a_short_search_finds_some_and_the_same_again() {
        let found = search(5000, 2011);
        assert!(!found.maximal.is_empty());
        for candidate in &found.maximal {
            assert!(lfsr::analyze(|block| candidate.step(block)).maximal, "{}", candidate.formula());
        }
        assert_eq!(found.maximal, search(5000, 2011).maximal);
    }
}
