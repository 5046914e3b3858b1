//! Hints to the machine about memory: to read ahead, and to use large pages. Both are wishes that
//! change no result.
#![allow(unsafe_code)]

/// Tells the processor that this will be read soon.
#[inline(always)]
pub(crate) fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a hint, which reads nothing; SSE is part of x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

/// Asks for large pages behind memory that is not touched yet: a scattered access then seldom
/// waits for the page's address.
pub(crate) fn wish_large_pages<T>(memory: &mut [T]) {
    #[cfg(target_os = "linux")]
    {
        use rustix::mm::{Advice, madvise};
        /// Pages that advice can begin at.
        const PAGE: usize = 4096;
        let start = memory.as_mut_ptr() as usize;
        let first = start.next_multiple_of(PAGE);
        let end = start + size_of_val(memory);
        let length = end.saturating_sub(first) / PAGE * PAGE;
        if length > 0 {
            // SAFETY: the range lies within memory that is exclusively borrowed, and this advice
            // changes neither its content nor what may be done with it.
            let _ = unsafe { madvise(first as *mut _, length, Advice::LinuxHugepage) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = memory;
}
