//! Bytes read as choices.

/// A fuzzer's bytes, read as a sequence of choices. After the last byte every choice is the first option.
#[derive(Debug, Clone)]
pub(crate) struct Bytes<'a> {
    rest: &'a [u8],
}

impl<'a> Bytes<'a> {
    pub(crate) const fn new(rest: &'a [u8]) -> Self {
        Self { rest }
    }

    /// Whether every further choice is the first option.
    pub(crate) const fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub(crate) fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.rest.split_first() else { return 0 };
        self.rest = rest;
        first
    }

    /// A number below `end`, which is not 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        let low = usize::from(self.byte());
        if end <= 256 { low % end } else { (low << 8 | usize::from(self.byte())) % end }
    }

    /// True once in `times`.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == times - 1
    }

    /// One of a list that is not empty.
    pub(crate) fn one_of<'b, T>(&mut self, list: &'b [T]) -> &'b T {
        &list[self.below(list.len())]
    }

    /// The rest as text; invalid UTF-8 is replaced.
    pub(crate) fn text(self) -> String {
        String::from_utf8_lossy(self.rest).into_owned()
    }
}
