//! What is on the disk stays true: calls that must not run twice, conversations, and files that are
//! damaged or somebody else's.

mod agents;
mod calls;
mod conversations;
mod damage;
mod files;
mod support;
