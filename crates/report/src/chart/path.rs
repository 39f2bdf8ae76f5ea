//! Paths of drawings as steps from point to point, which are shorter than places.

use std::fmt::Write;

/// The path through these points, to this number of decimals; nothing if there are none.
pub(super) fn relative(points: impl Iterator<Item = (f64, f64)>, decimals: i32) -> String {
    let unit = 10f64.powi(decimals);
    let (mut path, mut at) = (String::new(), (0i64, 0i64));
    for (x, y) in points.map(|(x, y)| ((x * unit).round() as i64, (y * unit).round() as i64)) {
        path.push_str(if path.is_empty() { "m" } else { "" });
        for (number, step) in [x - at.0, y - at.1].into_iter().enumerate() {
            // A minus separates a number from the one before it.
            if step >= 0 && (number == 1 || path.len() > 1) {
                path.push(' ');
            }
            let _ = write!(path, "{}", step as f64 / unit);
        }
        at = (x, y);
    }
    path
}

#[cfg(test)]
mod tests {
    use super::relative;

    #[test]
    fn a_path_has_steps_and_ends_where_its_last_point_is() {
        let points = [(10.04, 20.0), (12.0, 18.96), (12.0, 18.96), (9.5, 30.0)];
        assert_eq!(relative(points.into_iter(), 1), "m10 20 2-1 0 0-2.5 11");
        assert_eq!(relative(points.into_iter(), 0), "m10 20 2-1 0 0-2 11");
        assert_eq!(relative([(-1.0, 2.0)].into_iter(), 0), "m-1 2");
        assert_eq!(relative([].into_iter(), 0), "");
    }
}
