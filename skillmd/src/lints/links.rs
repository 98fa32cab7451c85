//! Lints of the body's links.

use super::Subject;
use crate::draft::Draft;

pub(super) fn run(_subject: &Subject<'_, '_>, _drafts: &mut Vec<Draft>) {}
