//! What the programs of all peers share: the tool and the names of its hundred copies, the arguments of a
//! call, and the stop watch.

mod delivery;

use std::{
    hint::black_box,
    pin::pin,
    process::ExitCode,
    task::{Context, Poll, Waker},
    time::Instant,
};

/// The tool that is called.
pub const NAME: &str = "plan_42";
/// What it is called with.
pub const ARGUMENTS: &str = r#"{"sku":"A-1042","speed":"overnight","destination":{"street":"12 Harbour Road","city":"Bergen","postcode":"5003","country":"NO"}}"#;
/// What it answers.
pub const RESULT: &str =
    r#"{"sku":"A-1042","days":1,"cost_cents":2490,"label":"12 Harbour Road, 5003 Bergen, NO"}"#;

/// Calls of one round.
const CALLS: u32 = 100_000;
/// Rounds; the fastest counts.
const ROUNDS: u32 = 12;

/// Hands the names of all tools to a macro: of the function, and of the type beside it.
#[macro_export]
macro_rules! tools {
    ($each:ident) => {
        $each! {
            (plan_00 Plan00 PLAN_00)
            (plan_01 Plan01 PLAN_01)
            (plan_02 Plan02 PLAN_02)
            (plan_03 Plan03 PLAN_03)
            (plan_04 Plan04 PLAN_04)
            (plan_05 Plan05 PLAN_05)
            (plan_06 Plan06 PLAN_06)
            (plan_07 Plan07 PLAN_07)
            (plan_08 Plan08 PLAN_08)
            (plan_09 Plan09 PLAN_09)
            (plan_10 Plan10 PLAN_10)
            (plan_11 Plan11 PLAN_11)
            (plan_12 Plan12 PLAN_12)
            (plan_13 Plan13 PLAN_13)
            (plan_14 Plan14 PLAN_14)
            (plan_15 Plan15 PLAN_15)
            (plan_16 Plan16 PLAN_16)
            (plan_17 Plan17 PLAN_17)
            (plan_18 Plan18 PLAN_18)
            (plan_19 Plan19 PLAN_19)
            (plan_20 Plan20 PLAN_20)
            (plan_21 Plan21 PLAN_21)
            (plan_22 Plan22 PLAN_22)
            (plan_23 Plan23 PLAN_23)
            (plan_24 Plan24 PLAN_24)
            (plan_25 Plan25 PLAN_25)
            (plan_26 Plan26 PLAN_26)
            (plan_27 Plan27 PLAN_27)
            (plan_28 Plan28 PLAN_28)
            (plan_29 Plan29 PLAN_29)
            (plan_30 Plan30 PLAN_30)
            (plan_31 Plan31 PLAN_31)
            (plan_32 Plan32 PLAN_32)
            (plan_33 Plan33 PLAN_33)
            (plan_34 Plan34 PLAN_34)
            (plan_35 Plan35 PLAN_35)
            (plan_36 Plan36 PLAN_36)
            (plan_37 Plan37 PLAN_37)
            (plan_38 Plan38 PLAN_38)
            (plan_39 Plan39 PLAN_39)
            (plan_40 Plan40 PLAN_40)
            (plan_41 Plan41 PLAN_41)
            (plan_42 Plan42 PLAN_42)
            (plan_43 Plan43 PLAN_43)
            (plan_44 Plan44 PLAN_44)
            (plan_45 Plan45 PLAN_45)
            (plan_46 Plan46 PLAN_46)
            (plan_47 Plan47 PLAN_47)
            (plan_48 Plan48 PLAN_48)
            (plan_49 Plan49 PLAN_49)
            (plan_50 Plan50 PLAN_50)
            (plan_51 Plan51 PLAN_51)
            (plan_52 Plan52 PLAN_52)
            (plan_53 Plan53 PLAN_53)
            (plan_54 Plan54 PLAN_54)
            (plan_55 Plan55 PLAN_55)
            (plan_56 Plan56 PLAN_56)
            (plan_57 Plan57 PLAN_57)
            (plan_58 Plan58 PLAN_58)
            (plan_59 Plan59 PLAN_59)
            (plan_60 Plan60 PLAN_60)
            (plan_61 Plan61 PLAN_61)
            (plan_62 Plan62 PLAN_62)
            (plan_63 Plan63 PLAN_63)
            (plan_64 Plan64 PLAN_64)
            (plan_65 Plan65 PLAN_65)
            (plan_66 Plan66 PLAN_66)
            (plan_67 Plan67 PLAN_67)
            (plan_68 Plan68 PLAN_68)
            (plan_69 Plan69 PLAN_69)
            (plan_70 Plan70 PLAN_70)
            (plan_71 Plan71 PLAN_71)
            (plan_72 Plan72 PLAN_72)
            (plan_73 Plan73 PLAN_73)
            (plan_74 Plan74 PLAN_74)
            (plan_75 Plan75 PLAN_75)
            (plan_76 Plan76 PLAN_76)
            (plan_77 Plan77 PLAN_77)
            (plan_78 Plan78 PLAN_78)
            (plan_79 Plan79 PLAN_79)
            (plan_80 Plan80 PLAN_80)
            (plan_81 Plan81 PLAN_81)
            (plan_82 Plan82 PLAN_82)
            (plan_83 Plan83 PLAN_83)
            (plan_84 Plan84 PLAN_84)
            (plan_85 Plan85 PLAN_85)
            (plan_86 Plan86 PLAN_86)
            (plan_87 Plan87 PLAN_87)
            (plan_88 Plan88 PLAN_88)
            (plan_89 Plan89 PLAN_89)
            (plan_90 Plan90 PLAN_90)
            (plan_91 Plan91 PLAN_91)
            (plan_92 Plan92 PLAN_92)
            (plan_93 Plan93 PLAN_93)
            (plan_94 Plan94 PLAN_94)
            (plan_95 Plan95 PLAN_95)
            (plan_96 Plan96 PLAN_96)
            (plan_97 Plan97 PLAN_97)
            (plan_98 Plan98 PLAN_98)
            (plan_99 Plan99 PLAN_99)
        }
    };
}

/// The program of one peer: `dispatch` prints the nanoseconds of one call, `first` those from the
/// start of `main` to the text of the first request.
pub fn run(dispatch: impl FnOnce(), first: impl FnOnce() -> String) -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some("dispatch") => dispatch(),
        Some("first") => {
            let start = Instant::now();
            let request = black_box(first());
            let nanoseconds = start.elapsed().as_nanos();
            for name in ["plan_00", NAME, "plan_99"] {
                assert!(request.contains(name), "the request lacks the tool {name}");
            }
            println!("{nanoseconds} {}", request.len());
        }
        Some("text") => println!("{}", first()),
        _ => {
            eprintln!("usage: dispatch | first | text");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// Prints the nanoseconds of one call: the mean of a round, the lowest of all rounds.
pub fn time_calls<E>(mut call: impl FnMut(&str, &str) -> Result<String, E>) {
    let mut lowest = f64::INFINITY;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        for _ in 0..CALLS {
            let text = call(black_box(NAME), black_box(ARGUMENTS));
            // Some write the keys in an order of their own; to compare more would be to time it.
            assert!(black_box(text).is_ok_and(|text| text.len() == RESULT.len()));
        }
        lowest = lowest.min(start.elapsed().as_nanos() as f64 / f64::from(CALLS));
    }
    println!("{lowest:.0}");
}

/// Runs a future that never has to wait.
pub fn ready<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => unreachable!("nothing here waits"),
    }
}
