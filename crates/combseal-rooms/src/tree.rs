//! Puts a crate's files together to a tree of modules, and says which file names which.
//!
//! A path counts for the deepest module that it leads through: `crate::a::b::Item` for the file
//! of `b`, where there is such a module, else for that of `a`. So a façade, which declares its
//! modules and re-exports their items, names its children, and whoever uses the façade names the
//! façade alone.

use super::graph::Graph;
use super::scan::{Module, Use, scan};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Where a module is in its crate: the names from the crate's root.
type Place = Vec<String>;

/// A module's body: what stands in it, and which file it is part of.
struct Body {
    place: Place,
    file: usize,
    module: Module,
}

/// A crate's modules and files.
#[derive(Default)]
struct Tree {
    files: Vec<PathBuf>,
    bodies: Vec<Body>,
    /// The files in which a module stands: several, where a condition chooses one of them.
    modules: BTreeMap<Place, Vec<usize>>,
    /// The modules that are `pub`, to whomever.
    public: BTreeSet<Place>,
}

/// The graph of the files of a crate, from its root file on; `read` gives the source of a file.
/// Files are named from the root's folder on.
///
/// # Errors
/// If a module that is declared has no file.
pub fn graph(root: &Path, read: &dyn Fn(&Path) -> Option<String>) -> Result<Graph, String> {
    let mut tree = Tree::default();
    let source = read(root).ok_or_else(|| format!("{} cannot be read", root.display()))?;
    let folder = root.parent().unwrap_or(Path::new(""));
    tree.add(root, &source, &[], folder, read)?;
    let name = |file: &PathBuf| file.strip_prefix(folder).unwrap_or(file).display().to_string();
    let mut graph = Graph::new(tree.files.iter().map(name).collect());
    for body in &tree.bodies {
        let bound = tree.bound(body);
        let uses = body.module.uses.iter().map(|one| &one.path);
        for path in uses.chain(&body.module.paths) {
            let Some((place, _)) = tree.resolve(body, &bound, path) else { continue };
            for &file in &tree.modules[&place] {
                graph.add(body.file, file, &path.join("::"));
            }
        }
    }
    Ok(graph)
}

impl Tree {
    /// Adds a file and those of the modules that it declares. Their files are looked for in
    /// `folder`.
    fn add(
        &mut self,
        path: &Path,
        source: &str,
        place: &[String],
        folder: &Path,
        read: &dyn Fn(&Path) -> Option<String>,
    ) -> Result<(), String> {
        // Declared twice, under conditions that exclude each other, a file is one all the same.
        if self.files.iter().any(|known| known == path) {
            return Ok(());
        }
        let file = self.files.len();
        self.files.push(path.into());
        for module in scan(source) {
            let place: Place = [place, &module.within].concat();
            self.modules.entry(place.clone()).or_default().push(file);
            let folder = module.within.iter().fold(folder.to_path_buf(), |folder, name| folder.join(name));
            for child in &module.children {
                let place = [&place[..], std::slice::from_ref(&child.name)].concat();
                if child.public {
                    self.public.insert(place.clone());
                }
                if child.inline {
                    continue;
                }
                let beside = folder.join(format!("{}.rs", child.name));
                let inside = folder.join(&child.name);
                let (path, folder) = match &child.path {
                    Some(given) => {
                        let given = path.parent().unwrap_or(Path::new("")).join(given);
                        (given.clone(), given.parent().unwrap_or(Path::new("")).to_path_buf())
                    }
                    None if read(&beside).is_some() => (beside, inside),
                    None => (inside.join("mod.rs"), inside),
                };
                let source = read(&path)
                    .ok_or_else(|| format!("{}: the module {} has no file", self.files[file].display(), child.name))?;
                self.add(&path, &source, &place, &folder, read)?;
            }
            self.bodies.push(Body { place, file, module });
        }
        Ok(())
    }

    /// The names in a module that stand for modules, by what its `use` declarations say. One may
    /// rest on another, so they are gone through until there is nothing new.
    fn bound(&self, body: &Body) -> BTreeMap<String, Place> {
        let mut bound = BTreeMap::new();
        loop {
            let before = bound.len();
            for Use { path, name } in &body.module.uses {
                let Some((place, true)) = self.resolve(body, &bound, path) else { continue };
                match name {
                    Some(name) => drop(bound.insert(name.clone(), place)),
                    None => {
                        for child in
                            self.modules.keys().filter(|child| child.split_last().is_some_and(|c| c.1 == place))
                        {
                            bound.entry(child[place.len()].clone()).or_insert_with(|| child.clone());
                        }
                    }
                }
            }
            if bound.len() == before {
                return bound;
            }
        }
    }

    /// The deepest module that a path leads through, and whether it is what the path names.
    /// `None` for what is not of this crate.
    fn resolve(&self, body: &Body, bound: &BTreeMap<String, Place>, path: &[String]) -> Option<(Place, bool)> {
        let mut place = body.place.clone();
        let mut rest = path;
        match path.first()?.as_str() {
            "crate" => {
                place.clear();
                rest = &path[1..];
            }
            "self" | "super" => {
                while let Some(first @ ("self" | "super")) = rest.first().map(String::as_str) {
                    if first == "super" {
                        place.pop()?;
                    }
                    rest = &rest[1..];
                }
            }
            first => {
                let child = [&place[..], &[first.to_string()]].concat();
                place = if self.modules.contains_key(&child) { child } else { bound.get(first)?.clone() };
                rest = &path[1..];
            }
        }
        for name in rest {
            let inside = body.place.starts_with(&place);
            place.push(name.clone());
            // From outside, the name of a private module is that of an item re-exported under it.
            if !self.modules.contains_key(&place) || !inside && !self.public.contains(&place) {
                place.pop();
                return Some((place, false));
            }
        }
        Some((place, true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The arrows of a crate of these files, as `a -> b`.
    fn arrows(files: &[(&str, &str)]) -> Vec<String> {
        let of = |graph: &Graph, (from, to, _): (usize, usize, &str)| {
            let name = |file: usize| graph.name(file).trim_end_matches(".rs").to_string();
            format!("{} -> {}", name(from), name(to))
        };
        let graph = graph_of(files).unwrap();
        graph.arrows().map(|arrow| of(&graph, arrow)).collect()
    }

    fn graph_of(files: &[(&str, &str)]) -> Result<Graph, String> {
        let read = |path: &Path| files.iter().find(|file| Path::new(file.0) == path).map(|file| file.1.to_string());
        graph(Path::new("lib.rs"), &read)
    }

    #[test]
    fn a_path_counts_for_the_deepest_file() {
        let files = [
            ("lib.rs", "mod a; mod b;"),
            ("a/mod.rs", "pub mod c; pub use c::C;"),
            ("a/c.rs", "pub struct C;"),
            ("b.rs", "mod d; use crate::a::C; fn f(_: crate::a::c::C) {} fn g() { d::h() }"),
            ("b/d.rs", "use super::super::a; fn h() { a::c::i() }"),
        ];
        assert_eq!(
            arrows(&files),
            ["a/mod -> a/c", "b -> a/mod", "b -> a/c", "b -> b/d", "b/d -> a/mod", "b/d -> a/c"]
        );
        assert!(graph_of(&files).unwrap().circles().is_empty());
    }

    #[test]
    fn a_circle_is_found() {
        let files = [("lib.rs", "mod a; mod b;"), ("a.rs", "use crate::b::B;"), ("b.rs", "fn f() { super::a::g() }")];
        assert_eq!(graph_of(&files).unwrap().circles(), [[1, 2]]);
    }

    #[test]
    fn a_child_that_needs_its_parent_is_a_circle_if_the_parent_needs_it() {
        let parent = ("a.rs", "mod b; struct A; use b::B;");
        let root = ("lib.rs", "mod a;");
        assert_eq!(graph_of(&[root, parent, ("a/b.rs", "use super::A;")]).unwrap().circles().len(), 1);
        assert_eq!(
            graph_of(&[root, parent, ("a/b.rs", "#[cfg(test)] mod tests { use super::super::A; }")])
                .unwrap()
                .circles()
                .len(),
            0
        );
        // To declare a module is not to need it.
        assert_eq!(
            graph_of(&[root, ("a.rs", "mod b; struct A;"), ("a/b.rs", "use super::A;")]).unwrap().circles().len(),
            0
        );
    }

    #[test]
    fn names_of_other_crates_and_of_modules_within_a_file_are_no_arrows() {
        let files = [
            ("lib.rs", "mod std; mod a;"),
            ("std.rs", ""),
            ("a.rs", "use std::fmt; use b::c; mod d { pub use super::e; pub use ::std::io; } fn e() { self::d::e() }"),
        ];
        assert!(arrows(&files).is_empty());
    }

    #[test]
    fn an_item_with_the_name_of_a_private_module() {
        let files = [
            ("lib.rs", "mod a; mod b;"),
            ("a/mod.rs", "mod c; pub use c::c;"),
            ("a/c.rs", "pub fn c() {}"),
            ("b.rs", "use crate::a; fn f() { a::c() }"),
        ];
        assert_eq!(arrows(&files), ["a/mod -> a/c", "b -> a/mod"]);
    }

    #[test]
    fn a_star_brings_in_modules() {
        let files = [
            ("lib.rs", "mod a; mod b;"),
            ("a.rs", "pub mod c;"),
            ("a/c.rs", ""),
            ("b.rs", "use crate::a::*; fn f() { c::g() }"),
        ];
        assert_eq!(arrows(&files), ["b -> a", "b -> a/c"]);
    }

    #[test]
    fn a_file_that_is_declared_twice_is_one() {
        let files = [
            ("lib.rs", "#[cfg(a)] pub mod a; #[cfg(not(a))] mod a;"),
            ("a.rs", "macro_rules! m { () => { $crate::a::n() } }"),
        ];
        let graph = graph_of(&files).unwrap();
        assert_eq!((graph.len(), graph.circles().len()), (2, 0));
    }

    #[test]
    fn files_by_condition_and_by_path() {
        let files = [
            (
                "lib.rs",
                "#[cfg(unix)] #[path = \"x/one.rs\"] mod a; #[cfg(not(unix))] #[path = \"x/two.rs\"] mod a; mod b;",
            ),
            ("x/one.rs", ""),
            ("x/two.rs", ""),
            ("b.rs", "use crate::a;"),
        ];
        assert_eq!(arrows(&files), ["b -> x/one", "b -> x/two"]);
        assert!(graph_of(&[("lib.rs", "mod a;")]).is_err());
    }
}
