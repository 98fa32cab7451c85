#![deny(deprecated)]

use repertoire::ToolSchema;

/// Place.
#[derive(ToolSchema)]
struct Place {
    /// How long it takes to go there, in hours.
    far: u8,
    ///
    high: u8,
    /// Its name.
    #[serde(rename = "itsName")]
    name: String,
}

#[derive(ToolSchema)]
enum Kind {
    /// A town.
    Town,
    /// `Village`
    Village {
        /// # Panics
        ///
        /// Nothing of this is for the model.
        houses: u8,
    },
}

/// Other.
#[derive(ToolSchema)]
#[schema(allow(repeated_name, empty_description))]
struct Other {
    ///
    far: u8,
}

fn main() {}
