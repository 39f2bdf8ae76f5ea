//! Throughput by the number of clients: Gunther's Universal Scalability Law (Guerrilla Capacity Planning, 2007).
//!
//! X(N) = λN / (1 + σ(N − 1) + κN(N − 1)): λ is the throughput of one client, σ the share of the work that only one can do at
//! a time, κ what each pair of clients costs. The curve describes what was measured; it is not extended beyond.

/// A fitted curve.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Scalability {
    /// λ: the throughput of one client, per second.
    pub lambda: f64,
    /// σ: contention, 0 to 1.
    pub sigma: f64,
    /// κ: coherence.
    pub kappa: f64,
    /// R²: the share of the variance of the measured throughput that the curve explains.
    pub explained: f64,
}

/// The least number of different numbers of clients for a fit.
pub const LEAST: usize = 6;

impl Scalability {
    /// Fits (clients, throughput). `None` for fewer than [`LEAST`] different numbers of clients, and if a throughput is not
    /// positive.
    pub fn fit(points: &[(f64, f64)]) -> Option<Scalability> {
        let mut different: Vec<u64> = points.iter().map(|(n, _)| n.to_bits()).collect();
        different.sort_unstable();
        different.dedup();
        let usable = |(n, x): &(f64, f64)| *n >= 1.0 && *x > 0.0 && x.is_finite();
        (different.len() >= LEAST && points.iter().all(usable)).then_some(())?;
        // N/X is linear in 1/λ, σ/λ, κ/λ; the start of the search for the least squares of X relative to X.
        let mut now = linear(points)?;
        let mut error = squares(now, points);
        let mut damping = 1e-3;
        for _ in 0..200 {
            let Some(step) = step(now, points, damping) else { break };
            let next = [(now[0] * step[0].exp()), (now[1] + step[1]).clamp(0.0, 1.0), (now[2] + step[2]).max(0.0)];
            let less = squares(next, points);
            if less < error {
                let gained = error - less;
                (now, error, damping) = (next, less, damping / 3.0);
                if gained <= 1e-12 * error {
                    break;
                }
            } else {
                damping *= 4.0;
                if damping > 1e12 {
                    break;
                }
            }
        }
        let centre = super::mean(&points.iter().map(|(_, x)| *x).collect::<Vec<_>>())?;
        let all: f64 = points.iter().map(|(_, x)| (x - centre).powi(2)).sum();
        let left: f64 = points.iter().map(|(n, x)| (x - curve(now, *n)).powi(2)).sum();
        let explained = if all > 0.0 { 1.0 - left / all } else { 0.0 };
        Some(Scalability { lambda: now[0], sigma: now[1], kappa: now[2], explained })
    }

    /// The throughput at a number of clients.
    pub fn at(&self, clients: f64) -> f64 {
        curve([self.lambda, self.sigma, self.kappa], clients)
    }

    /// The number of clients with the highest throughput; `None` if it rises for ever (κ = 0).
    pub fn peak(&self) -> Option<f64> {
        (self.kappa > 0.0).then(|| ((1.0 - self.sigma) / self.kappa).sqrt().max(1.0))
    }
}

fn curve([lambda, sigma, kappa]: [f64; 3], n: f64) -> f64 {
    lambda * n / (1.0 + sigma * (n - 1.0) + kappa * n * (n - 1.0))
}

/// The squares of the relative differences: the spread of a throughput grows with it.
fn squares(of: [f64; 3], points: &[(f64, f64)]) -> f64 {
    points.iter().map(|(n, x)| (curve(of, *n) / x - 1.0).powi(2)).sum()
}

/// Least squares of N/X; negative coefficients are set to 0 and the rest is fitted again.
fn linear(points: &[(f64, f64)]) -> Option<[f64; 3]> {
    let candidates = [[true, true, true], [true, false, true], [true, true, false], [true, false, false]];
    candidates.into_iter().find_map(|used| {
        let mut normal = [[0.0; 3]; 3];
        let mut right = [0.0; 3];
        for (n, x) in points {
            let terms = [1.0, n - 1.0, n * (n - 1.0)];
            // Relative to N/X, as in `squares`.
            let weight = (x / n).powi(2);
            for i in 0..3 {
                for j in 0..3 {
                    normal[i][j] += weight * terms[i] * terms[j];
                }
                right[i] += weight * terms[i] * n / x;
            }
        }
        for i in 0..3 {
            if !used[i] {
                (normal[i], right[i]) = ([0.0; 3], 0.0);
                normal[i][i] = 1.0;
            }
        }
        let [a, b, c] = solve(normal, right)?;
        (a > 0.0 && b >= 0.0 && c >= 0.0).then(|| [1.0 / a, (b / a).min(1.0), c / a])
    })
}

/// A step of Levenberg and Marquardt, for ln λ, σ and κ.
fn step(now: [f64; 3], points: &[(f64, f64)], damping: f64) -> Option<[f64; 3]> {
    let mut normal = [[0.0; 3]; 3];
    let mut right = [0.0; 3];
    for (n, x) in points {
        let below = 1.0 + now[1] * (n - 1.0) + now[2] * n * (n - 1.0);
        let ratio = curve(now, *n) / x;
        let slopes = [ratio, -ratio * (n - 1.0) / below, -ratio * n * (n - 1.0) / below];
        for i in 0..3 {
            for j in 0..3 {
                normal[i][j] += slopes[i] * slopes[j];
            }
            right[i] += slopes[i] * (1.0 - ratio);
        }
    }
    for (i, row) in normal.iter_mut().enumerate() {
        row[i] *= 1.0 + damping;
    }
    solve(normal, right)
}

/// Cramer's rule.
fn solve(m: [[f64; 3]; 3], right: [f64; 3]) -> Option<[f64; 3]> {
    let of = |m: &[[f64; 3]; 3]| {
        m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
            + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
    };
    let whole = of(&m);
    let replaced = |column: usize| {
        let mut with = m;
        for row in 0..3 {
            with[row][column] = right[row];
        }
        of(&with) / whole
    };
    let solution = [replaced(0), replaced(1), replaced(2)];
    (whole != 0.0 && solution.iter().all(|x| x.is_finite())).then_some(solution)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_vector_is_found_again() {
        // λ = 1000, σ = 0.02, κ = 0.0005.
        let exact = [1000.0, 1958.9, 3752.3, 6849.3, 11267.6, 15122.9, 14967.3, 10970.2, 6608.2];
        let points: Vec<(f64, f64)> = exact.iter().enumerate().map(|(at, x)| (f64::from(1 << at), *x)).collect();
        let fit = Scalability::fit(&points).expect("nine points");
        assert!((fit.lambda - 1000.0).abs() < 0.5, "{fit:?}");
        assert!((fit.sigma - 0.02).abs() < 1e-5 && (fit.kappa - 0.0005).abs() < 1e-7, "{fit:?}");
        let peak = fit.peak().expect("a peak");
        assert!((peak - 44.27).abs() < 0.05 && (fit.at(peak) - 15680.9).abs() < 2.0, "{peak}");
        assert!(fit.explained > 0.99999);
    }

    #[test]
    fn a_line_has_no_peak_and_noise_does_not_make_negative_costs() {
        let line: Vec<(f64, f64)> = (1..=8).map(|n| (f64::from(n), 500.0 * f64::from(n))).collect();
        let fit = Scalability::fit(&line).expect("eight points");
        assert!(fit.sigma.abs() < 1e-6 && fit.kappa.abs() < 1e-6, "{fit:?}");
        let faster = [(1.0, 100.0), (2.0, 230.0), (4.0, 480.0), (8.0, 900.0), (16.0, 1700.0), (32.0, 3500.0)];
        let fit = Scalability::fit(&faster).expect("six points");
        assert!(fit.sigma >= 0.0 && fit.kappa >= 0.0);
    }

    #[test]
    fn too_little_is_not_fitted() {
        assert_eq!(Scalability::fit(&[(1.0, 1.0); 20]), None);
        let five: Vec<(f64, f64)> = (1..=5).map(|n| (f64::from(n), 1.0)).collect();
        assert_eq!(Scalability::fit(&five), None);
        let mut dead: Vec<(f64, f64)> = (1..=8).map(|n| (f64::from(n), 10.0)).collect();
        dead[3].1 = 0.0;
        assert_eq!(Scalability::fit(&dead), None);
    }
}
