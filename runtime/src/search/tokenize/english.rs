//! What the English stemmer leaves apart: irregular forms, agent nouns, British spelling.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::OnceLock;

/// The regular form of an English word, of which the stem is taken.
pub(crate) fn regular(word: &str) -> Cow<'_, str> {
    if !word.is_ascii() || word.len() < 3 {
        return Cow::Borrowed(word);
    }
    static TABLE: OnceLock<HashMap<&str, &str>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let lines = FAMILIES.lines().filter_map(|line| line.split_once(':'));
        lines
            .flat_map(|(base, forms)| forms.split_whitespace().map(|form| (form, base.trim())))
            .collect()
    });
    if let Some(base) = table.get(word) {
        return Cow::Borrowed(base);
    }
    // `notifications` -> `notify`
    for (ending, base) in [
        ("ification", "ify"),
        ("ifications", "ify"),
        ("ifier", "ify"),
        ("ifiers", "ify"),
    ] {
        if let Some(stem) = word.strip_suffix(ending) {
            return Cow::Owned(format!("{stem}{base}"));
        }
    }
    american(word)
}

/// The American spelling of a British one.
fn american(word: &str) -> Cow<'_, str> {
    for (british, us) in BRITISH {
        if let Some(rest) = word.strip_prefix(british) {
            return Cow::Owned(format!("{us}{rest}"));
        }
    }
    for ending in [
        "ise", "ised", "ises", "ising", "iser", "isers", "isation", "isations",
    ] {
        if let Some(stem) = word.strip_suffix(ending)
            && stem.len() >= 4
            && !WITH_S
                .iter()
                .any(|word| word.len() == stem.len() + 3 && word.starts_with(stem))
        {
            return Cow::Owned(format!("{stem}iz{}", &ending[2..]));
        }
    }
    Cow::Borrowed(word)
}

/// Verbs and nouns in `-ise` that are not spelled with a z.
const WITH_S: [&str; 22] = [
    "advertise",
    "appraise",
    "chastise",
    "comprise",
    "compromise",
    "disguise",
    "enterprise",
    "exercise",
    "expertise",
    "franchise",
    "improvise",
    "likewise",
    "merchandise",
    "otherwise",
    "paradise",
    "precise",
    "premise",
    "promise",
    "supervise",
    "surprise",
    "televise",
    "treatise",
];

/// Beginnings that British and American English spell differently.
const BRITISH: [(&str, &str); 31] = [
    ("analys", "analyz"),
    ("behaviour", "behavior"),
    ("catalogue", "catalog"),
    ("centre", "center"),
    ("centimetre", "centimeter"),
    ("cheque", "check"),
    ("colour", "color"),
    ("cancell", "cancel"),
    ("defence", "defense"),
    ("favour", "favor"),
    ("fibre", "fiber"),
    ("flavour", "flavor"),
    ("grey", "gray"),
    ("harbour", "harbor"),
    ("honour", "honor"),
    ("humour", "humor"),
    ("jewellery", "jewelry"),
    ("kilometre", "kilometer"),
    ("labell", "label"),
    ("labour", "labor"),
    ("licence", "license"),
    ("litre", "liter"),
    ("metre", "meter"),
    ("millimetre", "millimeter"),
    ("modell", "model"),
    ("neighbour", "neighbor"),
    ("rumour", "rumor"),
    ("signall", "signal"),
    ("theatre", "theater"),
    ("travell", "travel"),
    ("tyre", "tire"),
];

/// Families of words: the form that stands for all, and the forms that the stemmer would leave
/// apart from it.
const FAMILIES: &str = "
    accurate: accuracy
    add: addition adder
    admit: admission admissions
    advise: adviser advisers advisor advisors advice
    analyze: analysis analyses analytics analytic analytical analyst analysts
    axis: axes
    begin: began begun
    block: blocker blockers
    book: booker
    bring: brought
    build: built builder builders
    buy: bought buyer buyers
    call: caller callers
    catch: caught
    check: checker checkers
    child: children
    choose: chose chosen choice choices
    clean: cleaner cleaners
    cloud: cloudy
    collide: collision collisions
    compare: comparison comparisons comparator
    conclude: conclusion conclusions
    consume: consumption
    convert: conversion conversions
    count: counter counters
    crawl: crawler crawlers
    crisis: crises
    criterion: criteria
    decide: decision decisions
    deliver: delivery deliveries
    depart: departure departures
    describe: description descriptions descriptor
    design: designer designers
    diagnose: diagnosis diagnoses diagnostic diagnostics
    diet: dietary
    discover: discovery discoveries
    divide: division divisions divider
    draw: drew drawn
    drive: drove driven driver drivers
    eat: ate eaten
    edit: editor editors
    enroll: enrol enrols enrolment
    expand: expansion expansions
    extend: extension extensions
    fail: failure failures
    fetch: fetcher fetchers
    finance: financial financially
    find: finder finders
    fly: flew flown
    foot: feet
    forget: forgot forgotten
    format: formatter formatters
    fulfill: fulfil fulfils fulfilment
    geography: geographic geographical
    give: gave given
    go: went gone
    grade: grader graders
    grow: grew grown growth
    half: halves
    health: healthy healthier
    hear: heard
    history: historical historic histories
    hypothesis: hypotheses
    include: inclusion
    index: indices indexes
    inquire: inquiry inquiries enquiry enquiries
    keep: kept
    knife: knives
    know: knew known
    lead: led
    learn: learnt learner learners
    leave: left
    lend: lent lender lenders
    life: lives
    list: lister
    load: loader loaders
    log: logger loggers
    lose: lost loss losses
    mail: mailer mailers
    maintain: maintenance
    make: made maker makers
    man: men
    map: mapper mappers
    match: matcher matchers
    matrix: matrices
    meet: met
    merge: merger mergers
    mouse: mice
    multiply: multiplication multiplications multiplier
    parse: parser parsers
    pay: payment payments paid payer
    person: people persons
    phenomenon: phenomena
    pick: picker pickers
    plan: planner planners
    play: player players
    pregnant: pregnancy pregnancies
    program: programme programmes
    rain: rainy
    rank: ranker rankers
    read: reader readers
    record: recorder recorders
    recover: recovery recoveries
    redeem: redemption redemptions
    reduce: reduction reductions
    register: registration registrations registry
    remind: reminder reminders
    resolve: resolution resolutions resolver
    run: ran runner runners
    safe: safety
    save: saver savers
    say: said
    scan: scanner scanners
    score: scorer scorers
    scrape: scraper scrapers
    search: searcher searchers
    see: saw seen
    seek: sought
    sell: sold seller sellers
    send: sent sender senders
    shelf: shelves
    shorten: shortener shorteners
    show: shown
    sing: sang sung singer singers
    snow: snowy
    solve: solution solutions solver solvers
    sort: sorter sorters
    speak: spoke spoken speech speaker speakers
    spend: spent
    split: splitter splitters
    steal: stole stolen
    submit: submission submissions
    subscribe: subscription subscriptions subscriber subscribers
    sun: sunny
    swim: swam swum swimmer swimmers
    synthesis: syntheses synthesize synthesizer synthesise
    take: took taken
    teach: taught teacher teachers
    tell: told
    test: tester testers
    think: thought thoughts
    throw: threw thrown
    time: timer timers
    tooth: teeth
    track: tracker trackers
    trade: trader traders
    train: trainer trainers
    transcribe: transcription transcriptions transcript transcripts
    transmit: transmission transmissions transmitter
    tune: tuner tuners
    understand: understood
    vary: variation variations variant variants
    vertex: vertices
    view: viewer viewers
    wake: woke woken
    wear: wore worn
    wife: wives
    win: won winner winners
    wind: windy
    woman: women
    write: wrote written writer writers
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn irregular_forms_become_regular() {
        for (word, expected) in [
            ("payments", "pay"),
            ("analyses", "analyze"),
            ("analysing", "analyzing"),
            ("notifications", "notify"),
            ("verifier", "verify"),
            ("colours", "colors"),
            ("cancelled", "canceled"),
            ("optimised", "optimized"),
            ("organisation", "organization"),
            ("tracker", "track"),
            ("programmer", "programmer"),
            ("enrolls", "enrolls"),
            ("exercise", "exercise"),
            ("exercises", "exercises"),
            ("promised", "promised"),
            ("noise", "noise"),
            ("weather", "weather"),
            ("city", "city"),
            ("größe", "größe"),
        ] {
            assert_eq!(regular(word), expected, "{word}");
        }
    }
}
