//! Names of pieces.

use shakmaty::Role;

pub(super) fn name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

/// Joins the names of pieces: `king and rook`, `queen, rook and knight`.
pub(super) fn listed(roles: &[Role]) -> String {
    let names: Vec<&str> = roles.iter().map(|&role| name(role)).collect();
    match names.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}
