// Names for guests who have not chosen one: an ancient name, an attribute and an origin. They are the same in all
// languages; a guest always gets the same one, and no two numbers share one.

const NAMES = `Livia Julia Claudia Aelia Flavia Drusilla Octavia Lucilla Faustina Sabina Domitilla Antonia Cornelia Valeria
  Fulvia Aurelia Helena Fausta Galla Eudocia Pulcheria Theodosia Sophia Ariadne Verina Anicia Hypatia Thecla Macrina Melania
  Paulina Priscilla Marcus Lucius Gaius Titus Quintus Decimus Sextus Aulus Publius Servius Basilius Leontius Procopius
  Anastasius Justinus Mauricius Phocas Heraclius Menander Libanius Ausonius Boethius Symmachus Claudianus Prudentius
  Isidorus Martinus Gallus Cassius Fabius Seneca Varro`.split(/\s+/);

const PLACES = `Ostiensis Lugdunensis Massiliensis Hispalensis Emeritensis Veronensis Cremonensis Bononiensis Senensis
  Hipponensis Uticensis Atheniensis Corinthiensis Philippensis Nicaeensis Ancyrensis Smyrnensis Myrinensis Pergamensis
  Sardensis Tarsensis Antiochensis Apamensis Emesensis Damascensis Palmyrensis Petrensis Bostrensis Caesariensis Gazensis
  Cyrenensis Treverensis Coloniensis Bonnensis Carnuntensis Aquincensis Sirmiensis Naissensis Serdicensis Salonensis
  Patrensis Cretensis Rhodiensis Melitensis Eboracensis Londinensis Narbonensis Arelatensis Vasatensis Aquensis Astigensis
  Asisinatensis Pompeiensis Herculanensis Cumensis Capuensis Mutinensis Parmensis Comensis Tergestensis Polensis Nolensis
  Beneventensis Carthaginensis`.split(/\s+/);

/** They fit men and women. */
const EPITHETS = `Felix Clemens Constans Prudens Vitalis Hilaris Fidelis Fortis Audax Valens Pudens Natalis Sapiens Maior Minor
  Senior`.split(/\s+/);

/** @param {string} number four digits from 0 to f, as the server writes them */
export function guestName(number) {
  const value = parseInt(number, 16);
  const [places, epithets] = [Math.floor(value / NAMES.length), Math.floor(value / NAMES.length / PLACES.length)];
  const epithet = epithets > 0 ? [EPITHETS[epithets - 1]] : [];
  return [NAMES[value % NAMES.length], ...epithet, PLACES[places % PLACES.length]].join(" ");
}
