//! Every call ends in exactly one result, whatever the tool does and however it is to be run.

mod fallback;
mod once;
mod results;
mod support;
mod tries;
