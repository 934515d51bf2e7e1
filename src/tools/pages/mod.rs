//! Pages of HTML: what they have in common. They need no other file.

pub mod diagram;
pub mod html;
