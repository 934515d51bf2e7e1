//! The only unsafe code: large zeroed memory on huge pages, and prefetching.
//!
//! Both make the program faster and change no result.

#![allow(unsafe_code)]

use std::io;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::slice;

use bytemuck::Zeroable;
use memmap2::{MmapMut, MmapRaw};

/// Least alignment of a mapping on any system, in bytes.
const SMALLEST_PAGE: usize = 4096;

/// Starts loading the cache line that holds `target`, without waiting for it. For the gain see
/// `benches/record/speed.md`.
#[inline]
pub(super) fn prefetch<T>(target: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch never faults and writes nothing, whatever the address; moreover this
        // address comes from a live reference. SSE is part of every x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(target).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = target;
}

/// A slice of zeroed values in a memory mapping of its own.
///
/// The system provides each page when it is first touched, so creating a slice takes no time, whatever
/// its size. On Linux huge pages are requested, which avoid misses in the address translation. For the
/// gain of both see `benches/record/speed.md`.
///
/// The values are not dropped; only their memory is freed.
pub(super) struct Zeroed<T> {
    map: MmapRaw,
    length: usize,
    values: PhantomData<[T]>,
}

impl<T: Zeroable> Zeroed<T> {
    /// Allocates `length` zeroed values.
    ///
    /// # Errors
    ///
    /// Fails if the system refuses the memory, or the size is beyond the address space.
    pub(super) fn new(length: usize) -> io::Result<Zeroed<T>> {
        const { assert!(align_of::<T>() <= SMALLEST_PAGE) };
        let bytes = size_of::<T>()
            .checked_mul(length)
            .filter(|&bytes| isize::try_from(bytes).is_ok())
            .ok_or(io::ErrorKind::OutOfMemory)?;
        let map = MmapRaw::from(MmapMut::map_anon(bytes)?);
        // Huge pages are optional, so an error is ignored.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(Zeroed { map, length, values: PhantomData })
    }
}

impl<T> Deref for Zeroed<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: the private anonymous mapping is at least `length` values of `T` and at most
        // `isize::MAX` bytes long, starts at a page boundary, which is aligned for `T`, and lives
        // as long as `self`. It began as zeros, which are valid values because `new` requires
        // `T: Zeroable`. Only these two functions hand out its address, so `&self` and `&mut self`
        // guard the values as they do for a boxed slice.
        unsafe { slice::from_raw_parts(self.map.as_ptr().cast(), self.length) }
    }
}

impl<T> DerefMut for Zeroed<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as for `deref`; the mapping is writable, and `&mut self` is exclusive.
        unsafe { slice::from_raw_parts_mut(self.map.as_mut_ptr().cast(), self.length) }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
    use std::thread;

    use super::*;

    #[test]
    fn written_values_are_read_back_and_all_others_are_zero() {
        let mut numbers = Zeroed::<u64>::new(5_000).unwrap();
        assert!(numbers.iter().all(|&number| number == 0));
        numbers[0] = 7;
        numbers[4_999] = 9;
        assert_eq!((numbers[0], numbers[4_999]), (7, 9));
        assert_eq!(numbers.iter().sum::<u64>(), 16);
        assert_eq!(numbers.as_ptr() as usize % SMALLEST_PAGE, 0);
    }

    #[test]
    fn threads_can_share_the_values() {
        let counts = &Zeroed::<AtomicU64>::new(64).unwrap();
        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    counts.iter().for_each(|count| {
                        count.fetch_add(1, Relaxed);
                    });
                });
            }
        });
        assert!(counts.iter().all(|count| count.load(Relaxed) == 3));
    }

    #[test]
    fn the_slice_may_be_empty_but_not_larger_than_the_address_space() {
        assert!(Zeroed::<u64>::new(0).unwrap().is_empty());
        assert_eq!(Zeroed::<[u8; 0]>::new(9).unwrap().len(), 9);
        for length in [usize::MAX, usize::MAX / 8, isize::MAX as usize / 8 + 1] {
            let error = Zeroed::<u64>::new(length).err().unwrap();
            assert_eq!(error.kind(), io::ErrorKind::OutOfMemory);
        }
    }

    #[test]
    fn a_prefetch_changes_nothing() {
        let numbers = [1_u64, 2, 3];
        numbers.iter().for_each(prefetch);
        assert_eq!(numbers, [1, 2, 3]);
    }
}
