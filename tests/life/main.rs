//! The life of a tool: added, listed, switched off and on, deprecated, removed.

mod deprecated;
mod hooks;
mod lists;
mod removed;
mod support;
mod switches;
mod ways;
