use repertoire::ToolSchema;

mod text {
    pub fn deserialize<'de, D: serde::Deserializer<'de>>(_: D) -> Result<u8, D::Error> {
        Ok(1)
    }
}

#[derive(serde::Deserialize, ToolSchema)]
struct Whole {
    #[serde(with = "text")]
    part: u8,
}

fn main() {}
