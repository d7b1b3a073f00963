//! Which file names which, the circles among them, and the order that is there where none is.

use std::collections::BTreeMap;

/// Files, and an arrow from each file to each that it names.
pub struct Graph {
    names: Vec<String>,
    /// To which files, and by which path first.
    arrows: Vec<BTreeMap<usize, String>>,
}

impl Graph {
    /// Files without arrows.
    pub fn new(names: Vec<String>) -> Self {
        Graph { arrows: vec![BTreeMap::new(); names.len()], names }
    }

    /// Adds an arrow; one from a file to itself is none.
    pub fn add(&mut self, from: usize, to: usize, path: &str) {
        if from != to {
            self.arrows[from].entry(to).or_insert_with(|| path.into());
        }
    }

    /// How many files there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// The name of a file.
    pub fn name(&self, file: usize) -> &str {
        &self.names[file]
    }

    /// All arrows: from, to, and the path that was named.
    pub fn arrows(&self) -> impl Iterator<Item = (usize, usize, &str)> {
        let all = self.arrows.iter().enumerate();
        all.flat_map(|(from, to)| to.iter().map(move |(&to, path)| (from, to, path.as_str())))
    }

    /// The circles: files of which each leads to each other along the arrows.
    pub fn circles(&self) -> Vec<Vec<usize>> {
        self.components().into_iter().filter(|files| files.len() > 1).collect()
    }

    /// The files by floor: on the lowest those that name no other, on every other those that name
    /// none above the floor below. The files of a circle share a floor.
    pub fn floors(&self) -> Vec<Vec<usize>> {
        let mut floor = vec![0; self.len()];
        let mut floors: Vec<Vec<usize>> = Vec::new();
        // Every component comes after those that it leads to.
        for files in self.components() {
            let others = files.iter().flat_map(|&file| self.arrows[file].keys()).filter(|to| !files.contains(to));
            let height = others.map(|&to| floor[to] + 1).max().unwrap_or(0);
            files.iter().for_each(|&file| floor[file] = height);
            if floors.len() <= height {
                floors.resize(height + 1, Vec::new());
            }
            floors[height].extend(files);
        }
        floors.iter_mut().for_each(|files| files.sort_by_key(|&file| self.name(file)));
        floors
    }

    /// The strongly connected components (Tarjan 1972), those that are led to first.
    fn components(&self) -> Vec<Vec<usize>> {
        let mut search = Search {
            graph: self,
            seen: vec![None; self.len()],
            low: vec![0; self.len()],
            stack: Vec::new(),
            count: 0,
            found: Vec::new(),
        };
        for file in 0..self.len() {
            if search.seen[file].is_none() {
                search.visit(file);
            }
        }
        search.found
    }
}

/// Tarjan's search while it runs.
struct Search<'a> {
    graph: &'a Graph,
    /// When a file was first seen.
    seen: Vec<Option<usize>>,
    /// The earliest file on the stack that can be reached from each.
    low: Vec<usize>,
    stack: Vec<usize>,
    count: usize,
    found: Vec<Vec<usize>>,
}

impl Search<'_> {
    fn visit(&mut self, file: usize) {
        let mine = self.count;
        self.count += 1;
        (self.seen[file], self.low[file]) = (Some(mine), mine);
        self.stack.push(file);
        for &to in self.graph.arrows[file].keys() {
            match self.seen[to] {
                None => {
                    self.visit(to);
                    self.low[file] = self.low[file].min(self.low[to]);
                }
                Some(when) if self.stack.contains(&to) => self.low[file] = self.low[file].min(when),
                Some(_) => {}
            }
        }
        if self.low[file] == mine {
            let from = self.stack.iter().rposition(|&on| on == file).unwrap_or(0);
            let mut files = self.stack.split_off(from);
            files.sort_unstable();
            self.found.push(files);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(files: usize, arrows: &[(usize, usize)]) -> Graph {
        let mut graph = Graph::new((0..files).map(|file| file.to_string()).collect());
        arrows.iter().for_each(|&(from, to)| graph.add(from, to, ""));
        graph
    }

    #[test]
    fn a_tree_has_no_circle() {
        let tree = graph(5, &[(0, 1), (0, 2), (1, 3), (2, 3), (2, 4), (2, 2)]);
        assert!(tree.circles().is_empty());
        assert_eq!(tree.floors(), [vec![3, 4], vec![1, 2], vec![0]]);
    }

    #[test]
    fn circles_are_found_apart() {
        let two = graph(7, &[(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3), (6, 0)]);
        let mut circles = two.circles();
        circles.sort();
        assert_eq!(circles, [[0, 1, 2], [3, 4, 5]]);
        assert_eq!(two.floors(), [vec![3, 4, 5], vec![0, 1, 2], vec![6]]);
    }

    #[test]
    fn two_that_name_each_other_are_a_circle() {
        assert_eq!(graph(3, &[(0, 1), (1, 0), (1, 2)]).circles(), [[0, 1]]);
    }
}
