//! Statistical estimates from counts.

/// The two ends of an interval, both shares between 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// The normal quantile for 95 %.
const Z: f64 = 1.959_963_984_540_054;

/// The 95 % interval of a share by Wilson's score: the shares for which this many hits would not be unusual.
/// None without tries, or with more hits than tries.
pub fn wilson(hits: u64, tries: u64) -> Option<Interval> {
    if tries == 0 || hits > tries {
        return None;
    }
    let (hits, tries) = (number(hits), number(tries));
    let share = hits / tries;
    let square = Z * Z;
    let middle = (share + square / (2.0 * tries)) / (1.0 + square / tries);
    let half =
        Z * (share * (1.0 - share) / tries + square / (4.0 * tries * tries)).sqrt() / (1.0 + square / tries);
    Some(Interval { low: (middle - half).max(0.0), high: (middle + half).min(1.0) })
}

/// The p-value of the chi-squared test: the probability that chi-squared with this many degrees of freedom is
/// at least this great. 1 for no degrees of freedom.
pub fn chi_square_p(chi_square: f64, degrees: u32) -> f64 {
    if degrees == 0 || chi_square <= 0.0 {
        return 1.0;
    }
    upper_gamma(f64::from(degrees) / 2.0, chi_square / 2.0)
}

/// The most terms that are added; they decrease from `a` on, which is 28 for the throws of three dice.
const TERMS_MAX: u32 = 10_000;

/// The regularised upper incomplete gamma function: by its series for small `x`, else by its continued fraction.
fn upper_gamma(a: f64, x: f64) -> f64 {
    let front = (a * x.ln() - x - ln_gamma(a)).exp();
    let upper = if x < a + 1.0 { 1.0 - front * lower_series(a, x) } else { front * upper_fraction(a, x) };
    upper.clamp(0.0, 1.0)
}

/// 1/a + x/a(a+1) + x²/a(a+1)(a+2) + …
fn lower_series(a: f64, x: f64) -> f64 {
    let (mut term, mut sum, mut divisor) = (1.0 / a, 1.0 / a, a);
    for _ in 0..TERMS_MAX {
        divisor += 1.0;
        term *= x / divisor;
        sum += term;
        if term < sum * f64::EPSILON {
            break;
        }
    }
    sum
}

/// 1/(x+1−a − 1(1−a)/(x+3−a − 2(2−a)/(x+5−a − …))), from the top down by Lentz's method.
fn upper_fraction(a: f64, x: f64) -> f64 {
    let not_zero = |value: f64| if value.abs() < f64::MIN_POSITIVE { f64::MIN_POSITIVE } else { value };
    let mut whole = x + 1.0 - a;
    let mut above = f64::MAX;
    let mut below = 1.0 / not_zero(whole);
    let mut fraction = below;
    for index in 1..TERMS_MAX {
        let index = f64::from(index);
        let numerator = index * (a - index);
        whole += 2.0;
        below = 1.0 / not_zero(numerator * below + whole);
        above = not_zero(whole + numerator / above);
        fraction *= above * below;
        if (above * below - 1.0).abs() < f64::EPSILON {
            break;
        }
    }
    fraction
}

/// The logarithm of the gamma function of a positive multiple of ½, the only arguments needed.
fn ln_gamma(a: f64) -> f64 {
    let (mut n, start) = if a.fract() == 0.0 { (1.0, 0.0) } else { (0.5, 0.5 * std::f64::consts::PI.ln()) };
    let mut sum: f64 = start;
    while n < a {
        sum += f64::ln(n);
        n += 1.0;
    }
    sum
}

/// A count as a float: exact up to 2⁵³.
#[expect(clippy::cast_precision_loss, reason = "no server has so many games")]
pub(crate) const fn number(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_close(one: f64, other: f64) -> bool {
        (one - other).abs() < 1e-9
    }

    /// From tables: 0.05 at 31.410432844 (20 degrees), at 73.311493029 (55), at 3.841458821 (1); the median of two
    /// degrees is 2 ln 2.
    #[test]
    fn p_values_are_those_of_the_tables() {
        for (chi_square, degrees, p) in [
            (31.410_432_844_230_92, 20, 0.05),
            (73.311_493_029_083_25, 55, 0.05),
            (3.841_458_820_694_124, 1, 0.05),
            (10.827_566_170_662_73, 1, 0.001),
            (2.0 * std::f64::consts::LN_2, 2, 0.5),
            (0.0, 20, 1.0),
            (7.0, 0, 1.0),
        ] {
            let found = chi_square_p(chi_square, degrees);
            assert!(is_close(found, p), "{chi_square} with {degrees}: {found}, not {p}");
        }
    }

    #[test]
    fn p_falls_as_chi_square_rises() {
        for degrees in [1, 2, 5, 20, 55] {
            let mut before = 1.0;
            for tenth in 1..2_000 {
                let p = chi_square_p(f64::from(tenth) / 10.0, degrees);
                assert!((0.0..=1.0).contains(&p) && p <= before, "{tenth} tenths with {degrees}");
                before = p;
            }
        }
    }

    /// From Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17 (1998).
    #[test]
    fn intervals_are_those_of_the_paper() {
        for (hits, tries, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let found = wilson(hits, tries).expect("tried");
            assert!(
                (found.low - low).abs() < 5e-5 && (found.high - high).abs() < 5e-5,
                "{hits} of {tries}: {found:?}"
            );
        }
        assert_eq!(wilson(0, 0), None);
        assert_eq!(wilson(2, 1), None);
    }
}
