//! Function words of scripts without spaces. They are cut out of runs in queries.

use super::script::Script;

/// Phrases that ask rather than name, the longest of a beginning first by construction of
/// [`mask`].
const CJK: &str = "
    请 请问 请你 请您 请帮我 请帮忙 请给我 帮我 帮忙 帮助我 给我 能帮我 能不能 能否 可以 可不可以 可否
    麻烦你 麻烦您 谢谢 你好 您好 好的 是的
    我 我的 我们 我们的 我想 我想要 我要 我需要 我希望 我正在 想要 想知道 想了解 需要 希望
    你 您 你能 你能帮我 他 她 它 他们 咱们
    这 这个 这些 这里 那 那个 那些 那里 哪 哪个 哪些 哪里 什么 怎么 怎样 如何 为什么
    的 得 了 着 吗 呢 吧 啊 呀 嘛 和 与 及 或 或者 以及 但 但是 并且 而且 因为 所以 如果
    是 把 被 就 都 也 还 很 又 再 才 一下 有没有 关于 对于 为了
    請 請問 請幫我 幫我 幫忙 給我 我們 麻煩 謝謝 這 這個 這些 那個 哪個 什麼 怎麼 為什麼 與 為 對 從 還
    ください してください お願いします お願い いただけますか してほしい してほしいです が欲しい 欲しい
    したい したいです たい たいです です ます ました ません でした する して した しますか ですか ますか
    教えて 教えてください 見せて 見せてください 知りたい 調べて 調べたい 探して 探したい
    私 私の 僕 あなた これ この それ その あれ あの ここ そこ どこ どれ どの 何 いつ なぜ どう どうやって いくら
    は が を に へ と で も の や か から まで より など について として ための ために 方法
    ある いる ありますか ない こと もの とき という
";

const HANGUL: &str = "
    해줘 해줘요 해주세요 해 주세요 주세요 줘 줘요 줄래 줄래요 주실 수 있나요 있어 있어요 있나요 있는
    하고 싶어 싶어요 싶습니다 싶은데 하는 하기 한 합니다 입니다 인가요 알려 알려줘 알려주세요
    보여줘 보여주세요 찾아줘 찾아주세요 찾고 도와줘 도와주세요 부탁해 부탁합니다 부탁드려요
    나 내 나의 저 제 저의 우리 너 당신 이 그 저 이것 그것 여기 거기 어디 무엇 뭐 언제 왜 어떻게 얼마 얼마나
    은 는 이 가 을 를 의 에 에서 에게 으로 로 와 과 도 만 까지 부터 및 또는 그리고 하지만 좀 필요해 필요합니다
    안녕하세요 감사합니다 고마워
";

const THAI: &str = "
    ช่วย หน่อย ขอ กรุณา โปรด ครับ ค่ะ คะ นะ ให้ ให้หน่อย ได้ไหม ได้มั้ย ไหม มั้ย หรือ และ หรือไม่ แต่ ถ้า เพราะ ว่า
    ฉัน ผม ดิฉัน เรา คุณ เขา มัน ของ ของฉัน ของผม ที่ ซึ่ง อัน นี้ นั้น ไหน อะไร ใคร เมื่อไร ทำไม อย่างไร ยังไง เท่าไร เท่าไหร่ กี่
    อยาก อยากจะ ต้องการ อยากได้ อยากรู้ จะ ได้ เป็น คือ มี อยู่ ใน จาก ไป มา ถึง กับ โดย ด้วย ก็ แล้ว ไม่ ใช่ การ ความ ขอบคุณ สวัสดี
    บอก ทั้งหมด
";

struct Phrases {
    set: std::collections::HashSet<&'static str>,
    /// The longest phrase, in characters.
    longest: usize,
}

fn list(script: Script) -> Option<&'static Phrases> {
    use std::sync::OnceLock;
    static LISTS: [OnceLock<Phrases>; 3] = [OnceLock::new(), OnceLock::new(), OnceLock::new()];
    let (slot, words) = match script {
        Script::Cjk => (&LISTS[0], CJK),
        Script::Hangul => (&LISTS[1], HANGUL),
        Script::Thai => (&LISTS[2], THAI),
        _ => return None,
    };
    Some(slot.get_or_init(|| {
        Phrases {
            set: words.split_whitespace().collect(),
            longest: words
                .split_whitespace()
                .map(|word| word.chars().count())
                .max()
                .unwrap_or(0),
        }
    }))
}

/// Calls `sink` with what remains of `run` between its function words, taking the longest phrase
/// at each place.
///
/// A single-character function word inside a longer stretch is not cut out, since it may as well
/// be part of a word (`目的`); [`is_stop_gram`] drops it as a gram.
pub(crate) fn mask(run: &str, script: Script, sink: &mut impl FnMut(&str)) {
    let Some(phrases) = list(script) else {
        sink(run);
        return;
    };
    let mut start = 0;
    let mut at = 0;
    while at < run.len() {
        let rest = &run[at..];
        let mut found = None;
        for (count, (offset, c)) in rest.char_indices().take(phrases.longest).enumerate() {
            let end = offset + c.len_utf8();
            if count > 0 && phrases.set.contains(&rest[..end]) {
                found = Some(end);
            }
        }
        match found {
            Some(length) => {
                if start < at {
                    sink(&run[start..at]);
                }
                at += length;
                start = at;
            }
            None => at += rest.chars().next().map_or(1, char::len_utf8),
        }
    }
    if start < run.len() {
        sink(&run[start..]);
    }
}

/// Whether a gram of a query is dropped because it is a function word.
pub(crate) fn is_stop_gram(gram: &str, script: Script) -> bool {
    list(script).is_some_and(|phrases| phrases.set.contains(gram))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rest(run: &str, script: Script) -> Vec<String> {
        let mut out = Vec::new();
        mask(run, script, &mut |piece| out.push(piece.to_owned()));
        out
    }

    #[test]
    fn phrases_of_asking_are_cut_out() {
        for (run, script, expected) in [
            ("请帮我查询库存", Script::Cjk, vec!["查询库存"]),
            ("库存的目的", Script::Cjk, vec!["库存的目的"]),
            ("在庫を教えてください", Script::Cjk, vec!["在庫を"]),
            ("예약해주세요", Script::Hangul, vec!["예약"]),
            ("ช่วยส่งอีเมลหน่อย", Script::Thai, vec!["ส่งอีเมล"]),
            ("可以", Script::Cjk, vec![]),
            ("ສົ່ງ", Script::Lao, vec!["ສົ່ງ"]),
        ] {
            assert_eq!(rest(run, script), expected, "{run}");
        }
    }

    #[test]
    fn single_characters_are_dropped_as_grams() {
        assert!(is_stop_gram("的", Script::Cjk));
        assert!(!is_stop_gram("目的", Script::Cjk));
    }
}
