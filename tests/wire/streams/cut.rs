//! Streams in pieces, and cut.

use super::*;

#[test]
fn pieces_of_any_size_give_the_same_turn_and_the_same_events() {
    let test = "pieces_of_any_size_give_the_same_turn_and_the_same_events";
    for exchange in recorded(test) {
        let (Some(api), Recorded::Stream(text)) = (exchange.api(), &exchange.response) else {
            continue;
        };
        let protocol = api.protocol();
        let (events, whole) = stream(protocol.as_ref(), text.as_bytes(), usize::MAX);
        // Line ends of the other kind.
        let other = if text.contains('\r') {
            text.replace("\r\n", "\n")
        } else {
            text.replace('\n', "\r\n")
        };
        for (text, size) in [
            (text, 1),
            (text, 7),
            (text, 1000),
            (&other, 1),
            (&other, usize::MAX),
        ] {
            let (pieces, turn) = stream(protocol.as_ref(), text.as_bytes(), size);
            assert_eq!(events, pieces, "{} in pieces of {size}", exchange.file);
            match (&whole, &turn) {
                (Ok(whole), Ok(turn)) => assert!(same(whole, turn), "{}", exchange.file),
                (Err(_), Err(_)) => {}
                (whole, turn) => panic!("{}: {whole:?} {turn:?}", exchange.file),
            }
        }
    }
}

#[test]
fn a_stream_cut_anywhere_is_an_error_or_the_whole_turn() {
    let test = "a_stream_cut_anywhere_is_an_error_or_the_whole_turn";
    let streams = ten_streams(test);
    if streams.is_empty() {
        return;
    }
    assert_eq!(streams.len(), 10);
    for (exchange, protocol) in streams {
        let Recorded::Stream(text) = &exchange.response else {
            continue;
        };
        let (_, whole) = stream(protocol.as_ref(), text.as_bytes(), usize::MAX);
        let whole = whole.unwrap();
        let mut cut = (0, 0);
        for end in 0..text.len() {
            let (_, turn) = stream(protocol.as_ref(), &text.as_bytes()[..end], usize::MAX);
            match turn {
                // Only what comes after the reason to stop may be missing: what it cost.
                Ok(turn) => {
                    cut.1 += 1;
                    assert_eq!(turn.parts(), whole.parts(), "{} at {end}", exchange.file);
                    assert_eq!(turn.stop(), whole.stop(), "{} at {end}", exchange.file);
                }
                Err(ProtocolError::Stream { .. }) => cut.0 += 1,
                Err(other) => panic!("{} at {end}: {other}", exchange.file),
            }
        }
        println!("{}: {} errors, {} whole turns", exchange.file, cut.0, cut.1);
        assert!(cut.0 > cut.1, "{}", exchange.file);
    }
}
