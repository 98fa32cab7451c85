//! A small package in a temporary folder, built by cargo as a user would.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

/// A package with a dependency on the crates of this repository.
pub struct Project {
    root: PathBuf,
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// What cargo said of one build.
pub struct Build {
    pub success: bool,
    /// Packages that were compiled, not taken from an earlier build.
    pub compiled: Vec<String>,
    pub errors: Vec<String>,
    pub warnings: Vec<String>,
    /// Everything, for the message of a failed assertion.
    pub raw: String,
}

impl Project {
    /// A new package that embeds `skills/` and prints the names of the skills.
    pub fn new(name: &str, tracked: bool) -> Self {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&root);
        let project = Self { root };
        let build = if tracked {
            "\n[build-dependencies]\nrepertoire-skillmd = \"0.1\"\n"
        } else {
            ""
        };
        project.write(
            "Cargo.toml",
            &format!(
                "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
                 [dependencies]\nrepertoire = {{ version = \"0.1\", default-features = false, features = [\"link\"] }}\n{build}{}",
                Self::patch()
            ),
        );
        if tracked {
            project.write(
                "build.rs",
                "fn main() {\n    repertoire_skillmd::build::track(\"skills\");\n}\n",
            );
        }
        let call = if tracked {
            "\"skills/\""
        } else {
            "\"skills/\", untracked"
        };
        project.write(
            "src/main.rs",
            &format!(
                "repertoire::skills!({call});\n\nfn main() {{\n    for skill in \
                 repertoire::linked!().skills().iter() {{\n        println!(\"{{}} {{}}\", \
                 skill.name(), skill.body().unwrap().len());\n    }}\n}}\n"
            ),
        );
        let lock = fs::read(repository().join("Cargo.lock")).unwrap();
        fs::write(project.root.join("Cargo.lock"), lock).unwrap();
        project
    }

    /// The end of a `Cargo.toml` that takes the crates from this repository.
    pub fn patch() -> String {
        let mut patch = "\n[workspace]\n\n[patch.crates-io]\n".to_owned();
        for (name, folder) in [("repertoire", "runtime"), ("repertoire-skillmd", "skillmd")] {
            let path = repository().join(folder).canonicalize().unwrap();
            // A literal string needs no escapes on systems whose paths hold `\`.
            patch.push_str(&format!("{name} = {{ path = '{}' }}\n", path.display()));
        }
        patch
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn write_bytes(&self, path: &str, bytes: &[u8]) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub fn remove(&self, path: &str) {
        let path = self.root.join(path);
        if path.is_dir() {
            fs::remove_dir_all(path).unwrap();
        } else {
            fs::remove_file(path).unwrap();
        }
    }

    /// A skill that has nothing wrong with it.
    pub fn skill(&self, name: &str) {
        self.write(
            &format!("skills/{name}/SKILL.md"),
            &format!(
                "---\nname: {name}\ndescription: Helps with {name}. Use when {name} comes up.\n\
                 ---\nDo it well.\n"
            ),
        );
    }

    pub fn cargo(&self, command: &str) -> Build {
        let output = Command::new(env!("CARGO"))
            .args([command, "--offline", "--quiet", "--message-format=json"])
            .current_dir(&self.root)
            .env(
                "CARGO_TARGET_DIR",
                Path::new(env!("CARGO_TARGET_TMPDIR")).join("target"),
            )
            .env_remove("RUSTFLAGS")
            .env_remove("CARGO_ENCODED_RUSTFLAGS")
            .output()
            .unwrap();
        let stdout = String::from_utf8_lossy(&output.stdout);
        let mut build = Build {
            success: output.status.success(),
            compiled: Vec::new(),
            errors: Vec::new(),
            warnings: Vec::new(),
            raw: String::from_utf8_lossy(&output.stderr).into_owned(),
        };
        let own = self.root.canonicalize().unwrap();
        for line in stdout.lines() {
            let Ok(message) = serde_json::from_str::<Value>(line) else {
                continue;
            };
            if message["reason"] == "compiler-artifact" && message["fresh"] == false {
                let name = message["target"]["name"].as_str().unwrap();
                build.compiled.push(name.to_owned());
            }
            let manifest = Path::new(message["manifest_path"].as_str().unwrap_or_default());
            if message["reason"] == "compiler-message" && manifest.starts_with(&own) {
                build
                    .raw
                    .push_str(message["message"]["rendered"].as_str().unwrap());
                let text = message["message"]["message"].as_str().unwrap().to_owned();
                match message["message"]["level"].as_str() {
                    Some("error") if !text.starts_with("aborting") => build.errors.push(text),
                    Some("warning") => build.warnings.push(text),
                    _ => {}
                }
            }
        }
        build
    }

    /// What the built program prints.
    pub fn run(&self) -> String {
        let name = self.root.file_name().unwrap();
        let program = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("target/debug")
            .join(name)
            .with_extension(std::env::consts::EXE_EXTENSION);
        let output = Command::new(program).output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    }
}
