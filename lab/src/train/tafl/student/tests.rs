//! Learning, its gradient, and saved states.

use super::*;
use crate::train::tafl::selfplay::play;

fn lessons(seeds: std::ops::Range<u64>) -> Vec<Lesson> {
    seeds.flat_map(|seed| play(first(), seed)).collect()
}

/// The function whose gradient [`Student::add_slope`] computes.
fn error(student: &Student, lesson: &Lesson, target: f32) -> f32 {
    let chance = student.expects(lesson);
    -(target * chance.ln() + (1.0 - target) * (1.0 - chance).ln())
}

#[test]
fn the_gradient_is_the_slope_of_the_error() {
    let student = Student::new(1);
    for lesson in lessons(0..3).iter().step_by(20) {
        let mut slope = [0.0; NUMBERS];
        student.add_slope(lesson, &mut slope);
        let target = END * lesson.result + (1.0 - END) * lesson.later;
        let features = lesson.features.iter().map(|&(feature, _)| usize::from(feature));
        let together = features.clone().map(|feature| TOGETHER + feature * UNITS + feature % UNITS);
        for feature in features.chain(together).chain(WORTH..SURENESS) {
            let moved = |by: f32| {
                let mut student = student.clone();
                student.numbers[feature] += by;
                error(&student, lesson, target)
            };
            let found = (moved(0.002) - moved(-0.002)) / 0.004;
            assert!((found - slope[feature]).abs() < 0.02 + 0.05 * found.abs(), "{found} {}", slope[feature]);
        }
    }
}

#[test]
fn learning_reduces_the_loss() {
    let mut student = Student::new(1);
    let lessons = lessons(0..300);
    assert!(lessons.len() >= LESSONS_MIN);
    let before = student.loss(&lessons);
    student.learn(lessons.clone(), 300, 0.01);
    assert!(student.loss(&lessons) < before, "{} after {before}", student.loss(&lessons));
}

#[test]
fn a_restored_student_learns_as_if_never_saved() {
    let mut student = Student::new(7);
    student.learn(lessons(0..90), 90, 0.01);
    let mut restored = Student::restore(&student.save()).expect("just saved");
    assert_eq!(restored.save(), student.save());
    for learner in [&mut student, &mut restored] {
        learner.learn(lessons(90..220), 130, 0.01);
    }
    assert_ne!(student.weights(), Student::new(7).weights());
    assert_eq!(restored.weights(), student.weights());
}

#[test]
fn invalid_weights_are_refused() {
    let mut student = Student::new(7);
    student.learn(lessons(0..2), 2, 0.01);
    let saved = student.save();
    let cut = &saved[..saved.len() - 1];
    let longer = [&saved[..], b"x"].concat();
    for damaged in [b"", &b"lusoria tablut student 3\n1 2\n"[..], cut, &longer] {
        assert_eq!(Student::restore(damaged).map(|_| ()), Err(NoStudent));
    }
}

#[test]
fn the_same_seed_is_the_same_game() {
    let [one, again, other] = [3, 3, 4].map(|seed| {
        let lessons = play(first(), seed);
        lessons.into_iter().map(|lesson| (lesson.features, lesson.result.to_bits())).collect::<Vec<_>>()
    });
    assert_eq!(one, again);
    assert_ne!(one, other);
}
