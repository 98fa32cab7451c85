//! Words that say how something is asked, not what is asked for. They are dropped from queries.

use std::sync::OnceLock;

use hashbrown::HashMap;

use super::fold::fold;
use super::language::{Language, LanguageSet};
use super::script::Script;

/// The languages in which `word` (lower-case, accents folded or not) is a stop word.
pub(crate) fn stop_languages(word: &str) -> LanguageSet {
    table()
        .get(word)
        .map_or_else(LanguageSet::default, |entry| entry.any)
}

/// The languages in which `word` is a stop word as it is spelled.
pub(crate) fn function_word_of(word: &str) -> LanguageSet {
    table()
        .get(word)
        .map_or_else(LanguageSet::default, |entry| entry.spelled)
}

/// Languages that a word is a stop word of, as spelled and without regard to accents.
#[derive(Clone, Copy, Default)]
struct Entry {
    spelled: LanguageSet,
    any: LanguageSet,
}

fn table() -> &'static HashMap<String, Entry> {
    static TABLE: OnceLock<HashMap<String, Entry>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table: HashMap<String, Entry> = HashMap::new();
        let mut folded = String::new();
        for (language, words) in LISTS {
            for word in words.split_whitespace() {
                let script = word.chars().next().map_or(Script::Other, Script::of);
                let entry = table.entry(word.to_owned()).or_default();
                entry.spelled = entry.spelled.union(language.set());
                entry.any = entry.any.union(language.set());
                fold(word, script, &mut folded);
                let entry = table.entry(folded.clone()).or_default();
                entry.any = entry.any.union(language.set());
            }
        }
        table
    })
}

/// For each language: articles, pronouns, prepositions, auxiliaries, then the words of asking.
const LISTS: [(Language, &str); 25] = [
    (
        Language::English,
        "a an the this that these those some any each every such same other another
         i me my mine myself we us our ours you your yours he him his she her hers it its they them
         their who whom whose which what when where why how
         am is are was were be been being do does did doing done has have had having
         will would shall should can could may might must cannot
         don doesn didn isn aren wasn weren won wouldn couldn shouldn haven hasn ll ve re
         and or but nor so if then than because as while until unless though although
         at by for from in into of off on onto to with within without about above across after
         again against along among around before behind below between beyond during over per
         through toward towards under up down out upon via
         not no only just also too very really quite still already yet now here there
         s t d m
         please thanks thank hello hi hey ok okay yes
         want wants wanted need needs needed like likes looking wish try trying going gonna let
         lets help helps assist assistance tell know give gives show shows see look make makes
         use uses using used find finding get gets getting got provide provides able possible
         interested curious wondering kindly currently something anything someone
         one ones more most much many lot lots bit etc
         following based regarding specific specifically certain particular given well",
    ),
    (
        Language::German,
        "der die das den dem des ein eine einen einem einer eines kein keine
         ich du er sie es wir ihr mich mir dich dir uns euch ihm ihn ihnen sich
         mein meine meinen meinem meiner dein deine sein seine unser unsere ihre ihren ihrem ihrer
         und oder aber wenn weil dass ob als wie was wer wo wann warum welche welcher welches
         welchen wieviel
         ist sind war waren bin bist sein hat haben habe hast wird werden wurde kann kannst können
         könnte könnten könntest soll sollte muss müssen darf möchte möchten will wollen würde
         in im an am auf aus bei bis durch für gegen mit nach ohne über um unter von vom vor zu zum
         zur zwischen
         nicht nur auch noch schon sehr so hier da dort dann jetzt mal bitte danke hallo ja
         brauche brauchen suche finde zeige zeig gib gebe hilf helfen mach mache etwas
         alle alles dieser diese dieses diesen diesem man es gibt",
    ),
    (
        Language::French,
        "le la les l un une des du de d au aux ce cet cette ces
         je j tu il elle on nous vous ils elles me m te t se s lui leur moi toi
         mon ma mes ton ta tes son sa ses notre nos votre vos leurs
         et ou mais si donc que qu qui quoi dont où quand comment pourquoi quel quelle quels
         quelles combien
         est sont suis es sommes êtes était été être ai as a avons avez ont avoir fait faire fais
         peux peut pouvez pourrais pourriez puis dois doit veux veut voudrais aimerais faut
         à dans par pour sur sous avec sans chez vers entre depuis en y ne n pas plus très
         ici là alors aussi c s'il plaît merci bonjour oui
         besoin cherche trouve trouver montre montrer montrez donne donner donnez aide aider aidez
         tout tous toute toutes",
    ),
    (
        Language::Spanish,
        "el la los las lo un una unos unas al del
         yo tú él ella nosotros ellos ellas me te se nos le les mi mis tu tus su sus nuestro nuestra
         y e o u pero si porque que qué quien quién cual cuál cuáles cuando cuándo donde dónde como
         cómo cuánto cuánta cuántos cuántas
         es son soy eres fue ser está están estoy estar ha han he hay haber hacer haz hace
         puede puedes puedo podría podrías podrían debe debo quiero quiere quisiera gustaría
         necesito necesita
         a ante con contra de desde en entre hacia hasta para por según sin sobre tras
         no sí muy más ya aquí ahí también solo favor gracias hola
         busco buscar encuentra encontrar muestra mostrar muéstrame dame dar dime decir ayuda
         ayudar ayúdame
         este esta estos estas ese esa esos esas eso esto todo toda todos todas",
    ),
    (
        Language::Portuguese,
        "o a os as um uma uns umas ao aos à às do da dos das no na nos nas pelo pela
         eu tu ele ela nós eles elas você vocês me te se lhe meu minha meus minhas seu sua seus suas
         e ou mas se porque que quem qual quais quando onde como quanto quantos
         é são sou foi ser está estão estou estar tem têm há fazer faz
         pode posso podia poderia deve quero quer queria gostaria preciso precisa
         com contra de desde em entre até para por sem sobre não sim muito mais já aqui também
         favor obrigado olá
         encontre encontrar mostre mostrar dê dar diga ajude ajudar ajuda
         este esta estes estas esse essa isso isto todo toda todos todas",
    ),
    (
        Language::Italian,
        "il lo la i gli le un uno una al allo alla ai agli alle del dello della dei degli delle dal
         dalla nel nello nella nei nelle sul sulla
         io tu lui lei noi voi loro mi ti si ci vi me te mio mia miei mie tuo tua suo sua nostro
         e ed o ma se perché che chi cui quale quali quando dove come quanto quanti
         è sono sei essere ho ha hanno avere fare fa fai
         può posso puoi potrebbe potresti deve devo voglio vuole vorrei bisogno
         a ad con contra da di in per su tra fra non sì molto più già qui anche favore grazie ciao
         trova trovare mostra mostrare mostrami dammi dare dimmi aiuta aiutami aiuto
         questo questa questi queste quello quella tutto tutti tutte",
    ),
    (
        Language::Dutch,
        "de het een der den
         ik jij je hij zij ze wij we jullie hun mij me jou u ons mijn jouw zijn haar onze
         en of maar als omdat dat die wie wat waar wanneer waarom hoe welke hoeveel
         is zijn was waren ben bent heeft hebben heb wordt worden kan kun kunt kunnen zou moet mag
         wil willen graag
         aan bij door in met na naar om onder op over te tot tussen uit van voor zonder
         niet geen ook nog al zeer zo hier daar dan nu alsjeblieft alstublieft bedankt hallo ja
         nodig zoek vind toon laat geef help helpen iets alle alles dit deze",
    ),
    (
        Language::Swedish,
        "en ett den det de dem som
         jag du han hon vi ni mig dig sig oss min mitt mina din ditt dina sin sitt sina
         och eller men om att vad vem var när varför hur vilken vilket vilka
         är vara var har ha hade blir kan kunde ska skulle måste vill
         i på av för från med till under över mellan utan vid efter
         inte också här där då nu tack hej ja snälla
         behöver söker hitta visa ge hjälp hjälpa alla allt denna detta dessa",
    ),
    (
        Language::Danish,
        "en et den det de dem som
         jeg du han hun vi mig dig sig os min mit mine din dit dine sin sit sine
         og eller men om at hvad hvem hvor hvornår hvorfor hvordan hvilken hvilket hvilke
         er være var har have havde bliver kan kunne skal skulle må vil
         i på af for fra med til under over mellem uden ved efter
         ikke også her der nu tak hej ja venligst
         brug leder find vis giv hjælp hjælpe alle alt denne dette disse",
    ),
    (
        Language::Norwegian,
        "en ei et den det de dem som
         jeg du han hun vi meg deg seg oss min mitt mine din ditt dine sin sitt sine
         og eller men om at hva hvem hvor når hvorfor hvordan hvilken hvilket hvilke
         er være var har ha hadde blir kan kunne skal skulle må vil
         i på av for fra med til under over mellom uten ved etter
         ikke også her der nå takk hei ja vennligst
         trenger leter finn vis gi hjelp hjelpe alle alt denne dette disse",
    ),
    (
        Language::Finnish,
        "ja tai mutta jos että kun koska kuin joka jotka mikä mitä kuka missä milloin miksi miten
         minä sinä hän me te he minun sinun hänen meidän minulle tämä nämä se ne tuo
         on ovat olen olla oli ei en voi voit voiko voisitko pitää haluan haluaisin tarvitsen
         kaikki myös nyt tässä siellä vain kiitos ole hyvä hei kyllä etsi näytä anna auta",
    ),
    (
        Language::Polish,
        "i a w we z ze na do od po za o u przy przez dla bez pod nad między
         ja ty on ona my wy oni mnie mi mój moja moje moich swój jego jej ich nam nas
         oraz lub albo ale jeśli bo że żeby co kto gdzie kiedy dlaczego jak jaki jaka jakie który
         która które ile
         jest są jestem być był była ma mam mieć może możesz można mogę czy chcę chciałbym chciałabym
         trzeba muszę potrzebuję
         nie tak też już tu tam teraz proszę dziękuję cześć
         szukam znajdź pokaż daj podaj pomóż pomoc ten ta to te tego tej tych wszystkie wszystko się",
    ),
    (
        Language::Czech,
        "a i v ve z ze na do od po za o u při pro bez pod nad mezi s se k ke
         já ty on ona my vy oni mě mi můj moje mých svůj jeho její jejich nám nás
         nebo ale pokud protože že aby co kdo kde kdy proč jak jaký jaká jaké který která které kolik
         je jsou jsem být byl byla má mám mít může můžete můžeš mohu chci chtěl bych musím potřebuji
         ne ano také už tady tam teď prosím děkuji ahoj
         hledám najdi ukaž dej pomoz pomoc ten ta to ty toho všechny všechno",
    ),
    (
        Language::Romanian,
        "un o al ai ale lui și sau dar dacă pentru că ce cine unde când cum care cât câți
         eu tu el ea noi voi ei ele mă te se ne îmi meu mea mei mele său
         este sunt e era fi am ai are avem au poate poți pot vreau aș trebuie
         la în din de pe cu fără prin spre între nu da foarte mai aici acum vă rog mulțumesc
         caută găsește arată dă ajută acest această aceste toate",
    ),
    (
        Language::Hungarian,
        "a az egy és vagy de ha mert hogy mi ki hol mikor miért hogyan milyen melyik mennyi
         én te ő mi ti ők engem nekem nekünk enyém
         van vannak volt lesz lehet tud tudod tudsz tudná kell akarok szeretnék szeretném kellene
         nem igen is már itt ott most kérem kérlek köszönöm szia
         keresek keresd mutasd add adj segíts ez ezek azok minden",
    ),
    (
        Language::Turkish,
        "bir ve veya ile ama eğer çünkü ki ne kim nerede nereye zaman neden nasıl hangi kaç
         ben sen o biz siz onlar bana beni benim sana senin onun bizim
         var yok değil mi mı mu mü olan olarak için gibi göre kadar daha çok da de
         istiyorum isterim lazım gerek ihtiyacım lütfen teşekkürler merhaba evet hayır
         bul göster ver yardım bu şu tüm bütün",
    ),
    (
        Language::Indonesian,
        "dan atau tetapi jika karena bahwa yang apa siapa mana kapan mengapa bagaimana berapa
         saya aku kamu anda dia kami kita mereka ini itu
         adalah ada bisa dapat akan harus ingin mau perlu butuh
         di ke dari pada untuk dengan tanpa dalam oleh tidak ya juga sudah sini tolong mohon terima
         kasih halo cari carikan tampilkan beri berikan bantu semua",
    ),
    (
        Language::Vietnamese,
        "và hoặc nhưng nếu vì rằng mà gì ai đâu nào sao thế
         tôi bạn anh chị em nó chúng ta họ của là có được bị sẽ đã đang phải muốn cần
         ở tại từ đến cho với không này đó kia các những một xin vui lòng hãy giúp hộ cảm ơn ạ nhé",
    ),
    (
        Language::Russian,
        "и или а но если потому что чтобы как какой какая какое какие каких кто где когда зачем
         почему сколько который которая которые ли бы же
         я ты он она оно мы вы они меня мне мной тебя тебе его её их нас нам вас вам себя
         мой моя мое мои моих моего моей моему свой свои наш наша наши ваш
         быть есть был была было были будет может можешь можете можно могу нужно нужен нужна надо
         хочу хотел хотела хотелось
         в во на с со из за к ко от до по под над при про о об для без между через у
         не нет да только также еще уже тут здесь там сейчас очень пожалуйста спасибо привет
         найди найти найдите покажи показать покажите дай дайте помоги помогите помочь скажи
         подскажи узнать этот эта это эти этого этой этом тот все всё всех",
    ),
    (
        Language::Ukrainian,
        "і й та або але якщо бо що щоб як який яка яке які яких хто де коли чому скільки чи б же
         я ти він вона воно ми ви вони мене мені тебе тобі його її їх нас нам вас вам себе
         мій моя моє мої моїх свій свої наш наша наші ваш
         бути є був була було були буде може можеш можете можна можу потрібно треба хочу хотів
         у в на з із зі за до від по під над при про о об для без між через
         не ні так тільки також ще вже тут там зараз дуже будь ласка дякую привіт
         знайди знайти покажи показати дай дайте допоможи допомогти скажи цей ця це ці того всі",
    ),
    (
        Language::Greek,
        "ο η το οι τα του της των τον την τους τις ένας μια ένα
         εγώ εσύ αυτός αυτή αυτό εμείς εσείς μου σου μας σας με σε
         και ή αλλά αν γιατί ότι που τι ποιος ποια πού πότε πώς πόσο πόσα
         είναι είμαι ήταν έχω έχει μπορείς μπορώ μπορεί θα να θέλω πρέπει χρειάζομαι
         από για στο στη στον στην στα στις χωρίς μετά πριν δεν όχι ναι πολύ εδώ τώρα παρακαλώ
         ευχαριστώ βρες βρείτε δείξε δώσε βοήθεια βοήθησε όλα όλες",
    ),
    (
        Language::Hebrew,
        "של את על עם אל מן או אבל אם כי מה מי איפה מתי למה איך איזה איזו כמה
         אני אתה היא הוא אנחנו הם הן אותי לי לך לו לה לנו שלי שלך שלו שלה שלנו
         יש אין היה היתה להיות יכול יכולה אפשר צריך צריכה רוצה אשמח
         לא כן גם רק כבר פה כאן שם עכשיו מאוד בבקשה תודה שלום
         תמצא מצא תראה הראה תן תני תעזור עזרה זה זאת זו אלה כל עבור",
    ),
    (
        Language::Hindi,
        "का की के को में से पर और या लेकिन अगर क्योंकि कि क्या कौन कहाँ कब क्यों कैसे कौनसा कितना कितने
         मैं मुझे मेरा मेरी मेरे तुम आप आपका हम हमें वह यह ये वे इस उस
         है हैं था थी थे हो होना सकता सकते सकती चाहिए चाहता चाहती करना करें कर करो
         नहीं हाँ भी अभी यहाँ कृपया धन्यवाद नमस्ते दिखाओ दिखाएं बताओ बताएं दो दीजिए मदद सभी लिए",
    ),
    (
        Language::Arabic,
        "في من إلى على عن مع أو و ثم لكن إذا لأن أن إن التي الذي الذين ما ماذا هل من أين متى لماذا كيف
         أي كم أنا أنت هو هي نحن هم لي لك له لها لنا
         هذا هذه ذلك تلك هناك يوجد كان كانت يكون تكون يمكن يمكنك يمكنني أستطيع
         أريد أود أحتاج أرغب يجب لا نعم أيضا فقط كل جميع بعض قبل بعد بين
         فضلك رجاء شكرا مرحبا ساعدني مساعدة أعطني أخبرني أرني أبحث",
    ),
    (
        Language::Persian,
        "در از به با برای و یا اما اگر که چه چی کی کجا چرا چطور چگونه کدام چند
         من تو او ما شما آنها ایشان مرا
         است هست هستم هستند بود باشد شود می کنم کنید کن می‌خواهم میخواهم لازم نیاز دارم
         را این آن همه نه بله هم لطفا ممنون سلام کمک بده نشان پیدا",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_asking_are_stop_words_of_their_language() {
        for (word, language) in [
            ("please", Language::English),
            ("look", Language::English),
            ("bitte", Language::German),
            ("möchte", Language::German),
            ("mochte", Language::German),
            ("пожалуйста", Language::Russian),
            ("еще", Language::Russian),
            ("أريد", Language::Arabic),
            ("اريد", Language::Arabic),
            ("בבקשה", Language::Hebrew),
        ] {
            assert!(stop_languages(word).contains(language), "{word}");
        }
    }

    #[test]
    fn words_of_content_are_not() {
        for word in [
            "stock",
            "search",
            "list",
            "send",
            "rechnung",
            "factura",
            "склад",
            "库存",
        ] {
            assert!(stop_languages(word).is_empty(), "{word}");
        }
    }

    #[test]
    fn each_language_has_one_list() {
        for (at, (language, _)) in LISTS.iter().enumerate() {
            assert!(
                LISTS[..at].iter().all(|(other, _)| other != language),
                "{language:?}"
            );
        }
    }
}
