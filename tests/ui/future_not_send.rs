use repertoire::tool;

/// Plan a trip.
#[tool]
async fn plan() -> String {
    let place = std::rc::Rc::new(1);
    std::future::ready(()).await;
    place.to_string()
}

fn main() {
    let _ = plan();
}
