//! The mean of several networks.

use outrider_engine::evaluation::network::file::NetworkWeights;

/// Averages networks weight by weight. Networks that were trained on from the same one, by different
/// samples or settings, each learned some noise of their own, and the mean has less of it (Wortsman et al.
/// 2022, "Model soups"). The mean of networks that began from different random weights knows nothing. All
/// networks must pass [`NetworkWeights::check`].
///
/// Returns `None` if there is no network, or if they differ in their size or scale.
pub fn average(networks: &[NetworkWeights]) -> Option<NetworkWeights> {
    let (first, others) = networks.split_first()?;
    let shape = |network: &NetworkWeights| (network.hidden, network.buckets, network.scale);
    if others.iter().any(|network| shape(network) != shape(first)) {
        return None;
    }
    let checksums: Vec<String> =
        networks.iter().map(|network| format!("{:08x}", network.checksum())).collect();
    Some(NetworkWeights {
        description: format!("mean of {}", checksums.join(", ")),
        feature_weights: means(networks, |network| &network.feature_weights),
        threat_weights: means(networks, |network| &network.threat_weights),
        feature_biases: means(networks, |network| &network.feature_biases),
        output_weights: means(networks, |network| &network.output_weights),
        output_biases: means(networks, |network| &network.output_biases),
        ..first.clone()
    })
}

/// Averages one array of all networks, number by number, rounded to whole numbers. Halves are
/// rounded to even numbers. Rounded away from zero, they would enlarge the weights.
fn means<T>(networks: &[NetworkWeights], array: impl Fn(&NetworkWeights) -> &Vec<T>) -> Vec<T>
where
    T: Copy + Into<i64> + TryFrom<i64>,
{
    let arrays: Vec<&Vec<T>> = networks.iter().map(array).collect();
    let mean = |index: usize| {
        let sum: i64 = arrays.iter().map(|array| array[index].into()).sum();
        let mean = (sum as f64 / arrays.len() as f64).round_ties_even() as i64;
        T::try_from(mean).unwrap_or_else(|_| unreachable!("a mean lies between the numbers"))
    };
    (0..arrays.first().map_or(0, |array| array.len())).map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_has_the_mean_of_each_number() {
        let first = NetworkWeights::material();
        let mut second = first.clone();
        let mut third = first.clone();
        second.feature_weights[7] = first.feature_weights[7] + 4;
        third.feature_weights[7] = first.feature_weights[7] + 4;
        second.threat_weights[9] = -1;
        third.output_biases[0] = first.output_biases[0] - 3;
        let mean = average(&[first.clone(), second, third]).expect("of one shape");
        assert_eq!(mean.feature_weights[7], first.feature_weights[7] + 3);
        assert_eq!(mean.threat_weights[9], 0);
        assert_eq!(mean.output_biases[0], first.output_biases[0] - 1);
        assert_eq!(mean.feature_weights[8..], first.feature_weights[8..]);
        assert_eq!(mean.output_weights, first.output_weights);
        assert!(mean.description.starts_with("mean of "));
    }

    #[test]
    fn halves_are_rounded_to_even_numbers() {
        let mut networks = [NetworkWeights::material(), NetworkWeights::material()];
        networks[0].threat_weights[..4].copy_from_slice(&[0, 1, 0, -1]);
        networks[1].threat_weights[..4].copy_from_slice(&[1, 2, -1, -2]);
        let mean = average(&networks).expect("of one shape");
        assert_eq!(mean.threat_weights[..4], [0, 2, 0, -2]);
    }

    #[test]
    fn networks_of_different_shapes_have_no_mean() {
        let network = NetworkWeights::material();
        let other = NetworkWeights { scale: network.scale + 1, ..network.clone() };
        assert!(average(&[network, other]).is_none());
        assert!(average(&[]).is_none());
    }
}
