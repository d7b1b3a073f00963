//! This program's own image: its functions, and the names of the addresses that they call.

use iced_x86::{Decoder, DecoderOptions, FlowControl};
use object::read::elf::ElfFile64;
use object::{Object, ObjectSection, ObjectSymbol, RelocationTarget, SectionKind, SymbolKind};
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

/// The image.
#[derive(Default)]
pub struct Image<'a> {
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
        let mut it = Self::default();
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
        let stub = Decoder::with_ip(64, code.unwrap_or_default(), address, DecoderOptions::NONE).into_iter().take(2);
        let mut jumps = stub.filter(|i| i.flow_control() == FlowControl::IndirectBranch);
        jumps.next().map_or("?", |i| self.slot(i.ip_rel_memory_address()))
    }

    /// The function that the pointer in the image at `slot` leads to.
    pub fn slot(&self, slot: u64) -> &str {
        self.slots.get(&slot).map_or("?", String::as_str)
    }
}
