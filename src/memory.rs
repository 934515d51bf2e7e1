//! The only unsafe code: hints to the processor and to the operating system about memory.
//!
//! Neither hint changes what a program computes; both only move work off the critical path.

#![allow(unsafe_code)]

/// Starts loading the cache line that holds `target`, without waiting for it.
#[inline]
pub fn prefetch<T>(target: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch never faults and writes nothing, whatever the address; this one comes
        // from a live reference besides. SSE is part of every x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(target).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = target;
}

/// Asks for huge pages under a large, long-lived allocation, which spares misses in the address
/// translation. Where the system has no such thing, nothing happens.
pub fn advise_huge_pages<T>(memory: &[T]) {
    #[cfg(target_os = "linux")]
    {
        const HUGE_PAGE: usize = 2 << 20;
        let bytes = size_of_val(memory);
        let start = memory.as_ptr().addr();
        let first = start.next_multiple_of(HUGE_PAGE);
        let Some(length) = (start + bytes).checked_sub(first).filter(|&length| length > 0) else {
            return;
        };
        let address = memory.as_ptr().cast::<u8>().wrapping_add(first - start);
        // SAFETY: the range lies inside a live allocation (from a multiple of the page size up to
        // its end), and MADV_HUGEPAGE is a hint that leaves the contents as they are. A refusal is
        // no error for us.
        unsafe { libc::madvise(address.cast_mut().cast(), length, libc::MADV_HUGEPAGE) };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = memory;
}
