//! The names of guests who chose none: a name of late antiquity, and where one is from. They are the same in all
//! languages.

use lusoria_play::PlayerId;

const NAMES: &str = "Livia Julia Claudia Aelia Flavia Drusilla Octavia Lucilla Faustina Sabina Domitilla Antonia Cornelia \
    Valeria Fulvia Aurelia Helena Fausta Galla Eudocia Pulcheria Theodosia Sophia Ariadne Verina Anicia Hypatia Thecla \
    Macrina Melania Paulina Priscilla Marcus Lucius Gaius Titus Quintus Decimus Sextus Aulus Publius Servius Basilius \
    Leontius Procopius Anastasius Justinus Mauricius Phocas Heraclius Menander Libanius Ausonius Boethius Symmachus \
    Isidorus Martinus Gallus Cassius Fabius Seneca Varro";

const PLACES: &str = "Ostiensis Lugdunensis Massiliensis Hispalensis Emeritensis Veronensis Cremonensis Bononiensis \
    Senensis Hipponensis Uticensis Atheniensis Corinthiensis Philippensis Nicaeensis Ancyrensis Smyrnensis Myrinensis \
    Pergamensis Sardensis Tarsensis Antiochensis Apamensis Emesensis Damascensis Palmyrensis Petrensis Bostrensis \
    Caesariensis Gazensis Cyrenensis Treverensis Coloniensis Bonnensis Carnuntensis Aquincensis Sirmiensis Naissensis \
    Serdicensis Salonensis Patrensis Cretensis Rhodiensis Melitensis Eboracensis Londinensis Narbonensis Arelatensis \
    Vasatensis Aquensis Astigensis Asisinatensis Pompeiensis Herculanensis Cumensis Capuensis Mutinensis Parmensis \
    Comensis Tergestensis Polensis Nolensis Beneventensis";

/// The name of a guest who chose none. It follows from the id; others may have the same.
pub(in crate::app) fn default_name(id: PlayerId) -> String {
    let [.., high, low] = *id.0.as_bytes();
    let number = usize::from(u16::from_be_bytes([high, low]));
    let names: Vec<&str> = NAMES.split_whitespace().collect();
    let places: Vec<&str> = PLACES.split_whitespace().collect();
    format!("{} {}", names[number % names.len()], places[number / names.len() % places.len()])
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use lusoria_protocol::Name;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn every_name_is_one_that_a_person_could_choose_and_each_of_them_is_given() {
        let name = |number: u16| default_name(PlayerId(Uuid::from_u128(number.into())));
        let given: BTreeSet<String> = (0..=u16::MAX).map(name).collect();
        for name in &given {
            assert!(Name::try_from(name.clone()).is_ok(), "{name}");
        }
        let count = |words: &str| words.split_whitespace().count();
        assert_eq!(given.len(), count(NAMES) * count(PLACES));
        assert!(given.contains("Livia Ostiensis"));
    }
}
