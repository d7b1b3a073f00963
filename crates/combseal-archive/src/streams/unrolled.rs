//! Loops written out, where the compiler would leave a loop: the numbers of the steps are then
//! constants, so that what is kept from step to step stays in registers.

/// The body once for each number, which is a constant in it.
macro_rules! unrolled {
    ($i:ident in [$($n:literal)*] $body:block) => {$(
        {
            let $i: usize = $n;
            $body
        }
    )*};
}
pub(crate) use unrolled;
