fn main() {
    repertoire_skillmd::build::track("../skills");
}
