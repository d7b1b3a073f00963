//! A program's image: its functions, and the names of the addresses that they call.

use crate::counts::Flow;
use crate::{arm, x86};
use object::read::elf::ElfFile64;
use object::{Architecture, Object, ObjectSection, ObjectSymbol, RelocationTarget, SectionKind, SymbolKind};
use std::collections::BTreeMap;
use std::error::Error;

/// A function of the image.
pub struct Function<'a> {
    /// Its name, demangled.
    pub name: String,
    /// Where it begins.
    pub address: u64,
    /// Its code.
    pub code: &'a [u8],
}

/// Whose code it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Machine {
    /// x86-64.
    #[default]
    X86,
    /// AArch64.
    Arm,
}

/// The image.
#[derive(Default)]
pub struct Image<'a> {
    /// Whose code is in it.
    pub machine: Machine,
    /// Its functions.
    pub functions: Vec<Function<'a>>,
    names: BTreeMap<u64, (u64, String)>,
    /// What a pointer in the image is filled with when it is loaded.
    slots: BTreeMap<u64, String>,
    /// The sections of code: where each begins, and what is in it.
    sections: Vec<(u64, &'a [u8])>,
}

impl<'a> Image<'a> {
    /// Reads an ELF file with its symbols.
    pub fn read(file: &'a [u8]) -> Result<Self, Box<dyn Error>> {
        let elf = ElfFile64::<object::Endianness>::parse(file)?;
        let machine = match elf.architecture() {
            Architecture::X86_64 => Machine::X86,
            Architecture::Aarch64 => Machine::Arm,
            other => return Err(format!("an image for {other:?}, which the guard does not read").into()),
        };
        let mut it = Self { machine, ..Self::default() };
        for symbol in elf.symbols().filter(|s| s.kind() == SymbolKind::Text && s.size() > 0) {
            let Some(section) = symbol.section_index() else { continue };
            let section = elf.section_by_index(section)?;
            let from = (symbol.address() - section.address()) as usize;
            let code =
                section.data()?.get(from..from + symbol.size() as usize).ok_or("a symbol outside its section")?;
            let name = format!("{:#}", rustc_demangle::demangle(symbol.name()?));
            it.names.insert(symbol.address(), (symbol.size(), name.clone()));
            it.functions.push(Function { name, address: symbol.address(), code });
        }
        for section in elf.sections().filter(|s| s.kind() == SectionKind::Text) {
            it.sections.push((section.address(), section.data()?));
        }
        for (slot, relocation) in elf.dynamic_relocations().into_iter().flatten() {
            let name = match relocation.target() {
                RelocationTarget::Symbol(i) => {
                    let table = elf.dynamic_symbol_table().ok_or("no dynamic symbols")?;
                    object::ObjectSymbolTable::symbol_by_index(&table, i)?.name()?.to_string()
                }
                _ => it.name(relocation.addend() as u64).to_string(),
            };
            it.slots.insert(slot, name);
        }
        Ok(it)
    }

    /// The function that an address lies in, or that the linker's stub there leads to.
    pub fn name(&self, address: u64) -> &str {
        match self.names.range(..=address).next_back() {
            Some((start, (size, name))) if address < start + size => name,
            _ => self.stub(address),
        }
    }

    /// A stub of the procedure linkage table is a jump through a slot.
    fn stub(&self, address: u64) -> &str {
        let code = self.sections.iter().find_map(|(start, code)| code.get(address.checked_sub(*start)? as usize..));
        let code = code.map_or(&[][..], |c| c.get(..16).unwrap_or(c));
        let slot = match self.machine {
            Machine::X86 => x86::steps(code, address).iter().take(2).find_map(|s| match s.flow {
                Flow::Slot(slot) => Some(slot),
                _ => None,
            }),
            Machine::Arm => arm::stub(code, address),
        };
        slot.map_or("?", |slot| self.slot(slot))
    }

    /// The function that begins at an address.
    pub fn entry(&self, address: u64) -> &str {
        self.names.get(&address).map_or("?", |(_, name)| name)
    }

    /// The function that the pointer in the image at `slot` leads to.
    pub fn slot(&self, slot: u64) -> &str {
        self.slots.get(&slot).map_or("?", String::as_str)
    }
}
