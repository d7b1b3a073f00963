// The best tier of an ARM machine whose kernel says HWCAP, a hexadecimal number: the C library's `getauxval` is
// replaced by one that returns it. `.ci/far` builds this with the library as it is without `std`.

#[unsafe(no_mangle)]
pub extern "C" fn getauxval(which: core::ffi::c_ulong) -> core::ffi::c_ulong {
    const AT_HWCAP: core::ffi::c_ulong = 16;
    let said = std::env::var("HWCAP").ok().and_then(|v| core::ffi::c_ulong::from_str_radix(&v, 16).ok());
    if which == AT_HWCAP { said.unwrap_or(0) } else { 0 }
}

fn main() {
    println!("{}", combseal::Cpu::detect().name());
}
