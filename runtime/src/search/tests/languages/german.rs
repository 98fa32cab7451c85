//! What a tool does, and what a user asks for who needs it.

pub(super) const GERMAN: [(&str, &str); 20] = [
    (
        "Liefert die Wettervorhersage für eine Stadt für die nächsten Tage.",
        "wie wird das wetter morgen in hamburg",
    ),
    (
        "Verschickt eine E-Mail an einen oder mehrere Empfänger.",
        "schick meinem chef eine mail dass ich krank bin",
    ),
    (
        "Rechnet einen Betrag von einer Währung in eine andere um.",
        "200 dollar in euro umrechnen",
    ),
    (
        "Bucht ein Hotelzimmer für den gewünschten Zeitraum.",
        "ich brauche ein hotel in münchen für zwei nächte",
    ),
    (
        "Zeigt anhand der Sendungsnummer, wo sich ein Paket befindet.",
        "wo ist mein paket",
    ),
    (
        "Erstellt eine Rechnung für einen Kunden.",
        "dem kunden eine rechnung schreiben",
    ),
    (
        "Legt eine Erinnerung zu einer bestimmten Uhrzeit an.",
        "erinnere mich um sechs daran mama anzurufen",
    ),
    (
        "Übersetzt einen Text in eine andere Sprache.",
        "kannst du das bitte ins englische uebersetzen",
    ),
    (
        "Findet Restaurants und Cafés in der Umgebung.",
        "welche restaurants gibt es hier in der umgebung",
    ),
    (
        "Prüft den Lagerbestand eines Artikels.",
        "wie viele artikel haben wir noch auf lager",
    ),
    (
        "Kauft eine Fahrkarte für den Zug zwischen zwei Bahnhöfen.",
        "fahrkarte nach köln mit dem zug kaufen",
    ),
    (
        "Fasst den Inhalt eines langen Dokuments kurz zusammen.",
        "fass mir dieses dokument zusammen",
    ),
    (
        "Ändert die Größe eines Bildes oder schneidet es zu.",
        "bild zuschneiden, groesse ändern",
    ),
    (
        "Überweist Geld auf ein anderes Bankkonto.",
        "ich möchte geld auf das konto meiner schwester überweisen",
    ),
    (
        "Kündigt ein kostenpflichtiges Abonnement.",
        "mein abonnement kündigen",
    ),
    (
        "Sucht Flüge nach Datum und Ziel.",
        "günstige flüge nach istanbul im juli",
    ),
    (
        "Schaltet das Licht in den Räumen des Hauses ein und aus.",
        "mach das licht in der küche aus",
    ),
    (
        "Berechnet die monatliche Rate eines Kredits.",
        "wie hoch ist die rate für einen kredit über fünf jahre",
    ),
    (
        "Schlägt Synonyme und die Bedeutung eines Wortes nach.",
        "was bedeutet das wort, gibt es synonyme",
    ),
    (
        "Trägt einen Termin in den Kalender ein und lädt Teilnehmer ein.",
        "mach einen termin mit oliver am freitag",
    ),
];
