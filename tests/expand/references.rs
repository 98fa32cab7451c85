// tool: allow(undocumented), unlinked, crate = ::other, type = Refs
#[cfg(unix)]
pub(crate) fn refs<'a>(list: &'a [Line], path: Option<&Path>, text: Option<&str>, cow: Cow<'a, str>, line: &Line) {}
