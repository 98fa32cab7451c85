//! What text is cut into, script by script.

use super::{Kind, Scanner, grams};

/// Words, numbers and grams, in order; compounds in brackets.
fn pieces(text: &str) -> String {
    let mut out: Vec<String> = Vec::new();
    Scanner::default().scan(text, &mut |piece, kind| match kind {
        Kind::Joined => out.push(format!("[{piece}]")),
        Kind::Run(script) => grams(piece, script, &mut |gram| out.push(gram.to_owned())),
        Kind::Word(_) | Kind::Number => out.push(piece.to_owned()),
    });
    out.join(" ")
}

fn check(table: &[(&str, &str)]) {
    for (text, expected) in table {
        assert_eq!(pieces(text), *expected, "{text}");
    }
}

#[test]
fn names_of_programs() {
    check(&[
        ("warehouse_stock", "warehouse stock"),
        ("getShippingQuote", "get shipping quote [getshippingquote]"),
        ("getUserOrderList", "get user order list"),
        ("HTTPServer", "http server [httpserver]"),
        ("parseURLs", "parse urls [parseurls]"),
        ("URLs and IDs", "urls and ids"),
        ("userID", "user id [userid]"),
        ("XMLHttpRequest", "xml http request [xmlhttprequest]"),
        ("iPhone", "i phone [iphone]"),
        ("GitHub", "git hub [github]"),
        ("A", "a"),
        ("ABC", "abc"),
        ("math.factorial", "math factorial"),
        ("mcp__fs__readFile", "mcp fs read file [readfile]"),
        (
            "snake_caseMixed-kebab",
            "snake case mixed [casemixed] kebab",
        ),
        ("PDF&URLTool", "pdf url tool [urltool]"),
    ]);
}

#[test]
fn numbers() {
    check(&[
        ("mp3", "mp 3 [mp3]"),
        ("3D", "3 d [3d]"),
        ("sha256sum", "sha 256 sum"),
        ("OAuth2", "o auth 2 [oauth]"),
        ("v1.10", "v 1 [v1] 10"),
        ("007", "007"),
        ("2026-11-30", "2026 11 30"),
        ("AB-12", "ab 12"),
        ("٣٤ ۵ ४ ๕", "34 5 4 5"),
        ("½ ② №5", "1 2 2 5"),
    ]);
}

#[test]
fn english_prose() {
    check(&[
        (
            "The user's e-mail, isn't it?",
            "the user e mail [email] isn it",
        ),
        ("state-of-the-art", "state of the art"),
        ("log-in", "log in [login]"),
        ("well-known", "well known"),
        ("don’t", "don"),
        ("rock 'n' roll", "rock n roll"),
        ("a/b testing, C++ & C#", "a b testing cpp csharp"),
    ]);
}

#[test]
fn latin_with_accents() {
    check(&[
        ("Überweisung für Straße", "überweisung für straße"),
        ("U\u{308}berweisung", "überweisung"),
        ("l'été à Noël", "l été à noël"),
        ("İSTANBUL'da", "istanbul da"),
        ("ﬁle ＰＤＦ", "file pdf"),
        ("soft\u{AD}hyphen", "softhyphen"),
        ("Đường phố", "đường phố"),
    ]);
}

#[test]
fn scripts_with_words() {
    check(&[
        ("Создать счёт-фактуру", "создать счёт фактуру"),
        ("созДать", "соз дать [создать]"),
        ("Δημιουργία ΛΟΓΑΡΙΑΣΜΟΥ", "δημιουργία λογαριασμου"),
        ("إنشاء فاتورة", "إنشاء فاتورة"),
        ("فـــاتورة", "فاتورة"),
        ("יצירת חשבונית, דו״ח", "יצירת חשבונית דוח"),
        ("मौसम पूर्वानुमान", "मौसम पूर्वानुमान"),
        ("வானிலை முன்னறிவிப்பு", "வானிலை முன்னறிவிப்பு"),
        ("ամպ Անձրև", "ամպ անձրեւ"),
        ("ამინდის პროგნოზი", "ამინდის პროგნოზი"),
    ]);
}

#[test]
fn scripts_without_spaces() {
    check(&[
        ("查询库存。", "查 询 查询 库 询库 存 库存"),
        ("在庫を確認", "在 庫 在庫 庫を 確 を確 認 確認"),
        ("メール送信", "メー ール 送 ル送 信 送信"),
        ("ﾒｰﾙ", "メー ール"),
        ("재고 확인", "재 고 재고 확 인 확인"),
        ("ส่งอีเมล", "ส่ง งอี ส่งอี อีเม งอีเม เมล อีเมล"),
        ("ສົ່ງ", "ສົ່ງ"),
        ("ផ្ញើ", "ផ្ញើ"),
        ("ပို့", "ပို့"),
    ]);
}

#[test]
fn scripts_that_meet() {
    check(&[
        ("PDFファイル", "pdf ファ ァイ イル"),
        ("开启WiFi连接", "开 启 开启 wi fi 连 接 连接 [wifi]"),
        ("第3章", "第 3 章"),
        ("IDшка", "id шка [idшка]"),
        ("iPhone用", "i phone 用 [iphone]"),
    ]);
}

#[test]
fn nothing_to_cut() {
    check(&[
        ("", ""),
        (" \n", ""),
        ("—…!?", ""),
        ("\u{301}", ""),
        ("🦀", ""),
        ("___", ""),
    ]);
}

#[test]
fn long_words_keep_their_beginning() {
    let long = "a".repeat(1000);
    assert_eq!(pieces(&long), "a".repeat(64));
    let wide = "ж".repeat(1000);
    assert_eq!(pieces(&wide), "ж".repeat(32));
    let odd = format!("a{}", "ж".repeat(100));
    assert_eq!(pieces(&odd), format!("a {} ", "ж".repeat(32)).trim_end());
}
