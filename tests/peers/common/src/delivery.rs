//! The tool that every peer writes: it plans the delivery of a product.

/// The types of the tool and what it does, the same for all. `$schema` is what a peer derives to describe
/// a type to a model; `Deserialize` and `Serialize` have to be in scope.
#[macro_export]
macro_rules! delivery {
    ($schema:ident) => {
        /// How fast a parcel travels.
        #[derive(Deserialize, $schema)]
        #[serde(rename_all = "snake_case")]
        pub enum Speed {
            /// Within a week.
            Standard,
            /// Within three days.
            Express,
            /// By the next morning.
            Overnight,
        }

        /// Where a parcel goes.
        #[derive(Deserialize, $schema)]
        pub struct Address {
            /// Street and number.
            pub street: String,
            /// The town.
            pub city: String,
            /// The postal code, if the country has them.
            pub postcode: Option<String>,
            /// Two letters of ISO 3166.
            pub country: String,
        }

        #[derive(Serialize)]
        pub struct Delivery {
            sku: String,
            days: u32,
            cost_cents: u32,
            label: String,
        }

        fn plan(sku: &str, speed: Option<Speed>, destination: &Address) -> Delivery {
            let (days, cost_cents) = match speed.unwrap_or(Speed::Standard) {
                Speed::Standard => (7, 490),
                Speed::Express => (3, 990),
                Speed::Overnight => (1, 2490),
            };
            let Address {
                street,
                city,
                postcode,
                country,
            } = destination;
            let label = format!(
                "{street}, {} {city}, {country}",
                postcode.as_deref().unwrap_or("")
            );
            Delivery {
                sku: sku.to_owned(),
                days,
                cost_cents,
                label,
            }
        }
    };
}
