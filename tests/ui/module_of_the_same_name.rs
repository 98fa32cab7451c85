use repertoire::tool;

mod time {
    pub fn now() {}
}

/// Say what time it is.
#[tool]
fn time() {
    time::now();
}

fn main() {
    time();
}
