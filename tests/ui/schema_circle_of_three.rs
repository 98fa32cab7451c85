use repertoire::ToolSchema;

#[derive(serde::Deserialize, ToolSchema)]
struct Company {
    staff: Vec<Person>,
    // Not part of the circle.
    branches: Vec<Company>,
}

#[derive(serde::Deserialize, ToolSchema)]
enum Person {
    Boss { tasks: Vec<Task> },
    Guest,
}

#[derive(serde::Deserialize, ToolSchema)]
struct Task {
    // Neither is what only marks.
    _mark: std::marker::PhantomData<Person>,
    customer: Option<Box<Company>>,
}

/// Look at a company.
#[repertoire::tool]
fn look(
    /// Which one.
    company: Company,
) {
    let _ = company;
}

fn main() {
    look(Company {
        staff: Vec::new(),
        branches: Vec::new(),
    });
}
