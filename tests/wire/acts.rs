//! A model that does one thing after the other.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use repertoire::testing::{Act, Rule, Script, Scriptable};

/// A script that goes through these acts, one a request, whatever the request holds.
pub fn acting<P: Scriptable>(protocol: P, acts: Vec<Act>) -> Arc<Script<P>> {
    let mut script = Script::new(protocol);
    for (number, act) in acts.into_iter().enumerate() {
        let done = AtomicBool::new(false);
        let rule = Rule::new(format!("act {number}"), move |_| act.clone());
        script = script.rule(rule.when(move |_| match done.swap(true, Ordering::SeqCst) {
            true => Err("done".to_owned()),
            false => Ok(()),
        }));
    }
    Arc::new(script)
}
