//! Tools and schemas, used as a program uses them.

mod basics;
mod forms;
