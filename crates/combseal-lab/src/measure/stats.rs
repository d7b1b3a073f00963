//! The few numbers that stand for many samples. Medians and quantiles are used, because a few
//! disturbed samples move a mean. The papers' weighted mean of packet sizes is here too.

/// The lengths of [`ipi`], with their weights.
pub const IPI: [(usize, f64); 4] = [(44, 0.05), (552, 0.15), (576, 0.20), (1500, 0.60)];

/// The middle value; the mean of the two middle ones if there is an even number. 0 for none.
pub fn median(values: &[f64]) -> f64 {
    quantile(values, 0.5)
}

/// The value below which a part `q` of the others lie, between neighbours by interpolation.
pub fn quantile(values: &[f64], q: f64) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let place = q.clamp(0.0, 1.0) * (sorted.len() - 1) as f64;
    let (below, part) = (place.floor(), place.fract());
    let low = sorted[below as usize];
    let high = sorted[(below as usize + 1).min(sorted.len() - 1)];
    low + part * (high - low)
}

/// The mean of all values up to twice the median: finer than the median where a counter moves
/// in coarse steps, and blind to interrupts.
pub fn calm_mean(values: &[f64]) -> f64 {
    let limit = 2.0 * median(values);
    let calm: Vec<f64> = values.iter().copied().filter(|&v| v <= limit).collect();
    if calm.is_empty() { 0.0 } else { calm.iter().sum::<f64>() / calm.len() as f64 }
}

/// The smallest value. 0 for none.
pub fn minimum(values: &[f64]) -> f64 {
    values.iter().copied().min_by(f64::total_cmp).unwrap_or(0.0)
}

/// The Internet performance index of the Krovetz and Rogaway study: cycles a byte, weighted by
/// how often packets of 44, 552, 576 and 1500 bytes occur. `None` if a length is missing.
pub fn ipi(cycles: impl Fn(usize) -> Option<f64>) -> Option<f64> {
    IPI.iter().map(|&(bytes, weight)| Some(weight * cycles(bytes)? / bytes as f64)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn middles() {
        assert_eq!(median(&[]), 0.0);
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(quantile(&[0.0, 10.0], 0.25), 2.5);
        assert_eq!(quantile(&[5.0, 1.0, 9.0], 1.0), 9.0);
        assert_eq!(minimum(&[5.0, 1.0, 9.0]), 1.0);
        assert_eq!(calm_mean(&[52.0, 52.0, 52.0, 78.0, 1e9]), 52.0 + 26.0 / 4.0);
    }

    #[test]
    fn ipi_of_the_aes_limit_is_the_published_one() {
        let limit = |bytes: usize| Some(10.0 * (bytes.div_ceil(16) + 1) as f64);
        assert!((ipi(limit).unwrap() - 0.652).abs() < 0.001);
        assert_eq!(ipi(|bytes| (bytes != 552).then_some(1.0)), None);
    }
}
