//! Signs for numeric annotation glyphs.

/// Returns the customary sign of a glyph, or an empty string. A sign that does not judge the move itself
/// begins with a space. Glyphs up to 139 are those of the standard; the others came into use later.
pub(crate) fn sign(glyph: u8) -> &'static str {
    match glyph {
        1 => "!",
        2 => "?",
        3 => "!!",
        4 => "??",
        5 => "!?",
        6 => "?!",
        7 | 8 => " □",
        10..=12 => " =",
        13 => " ∞",
        14 => " ⩲",
        15 => " ⩱",
        16 => " ±",
        17 => " ∓",
        18 => " +−",
        19 => " −+",
        20 => " +−−",
        21 => " −−+",
        22 | 23 => " ⨀",
        26 | 27 => " ○",
        32 | 33 => " ⟳",
        36 | 37 => " ↑",
        40 | 41 => " →",
        44 | 45 => " =∞",
        132 | 133 => " ⇆",
        138 | 139 => " ⊕",
        140 => " ∆",
        141 => " ∇",
        142 => " ⌓",
        143 => " ≤",
        144 => " ==",
        145 => " RR",
        146 => " N",
        _ => "",
    }
}

/// Returns all glyphs that have a sign, for the scripts of pages.
pub fn signs() -> impl Iterator<Item = (u8, &'static str)> {
    (0..=u8::MAX).map(|glyph| (glyph, sign(glyph))).filter(|(_, sign)| !sign.is_empty())
}
